import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GERMAN } from '../../../src/api/pages/german';
import { Words } from '../../../src/api/pages/language';
import { html } from '../../../src/platform/html';

const API = join(__dirname, '../../../src/api');
/** The pages that are in the language of the browser. */
const PAGES = [
  ...['login', 'consent', 'register-app', 'authorizations'].map((name) => `pages/${name}.page.ts`),
  ...['pages/page.ts', 'pages/page-user.ts', 'oauth1/oauth1-pages.ts', 'oauth2/authorize.page.ts'],
];
const read = (name: string) => readFileSync(join(API, name), 'utf8');
const namesIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

describe('the texts of the pages for signing in and for applications', () => {
  it('are in German with the same values, in the order of the alphabet', () => {
    const texts = Object.keys(GERMAN);
    assert.deepEqual(texts, [...texts].sort());
    for (const [text, german] of Object.entries(GERMAN)) {
      assert.notEqual(german.trim(), '', text);
      assert.deepEqual(namesIn(german), namesIn(text), text);
    }
  });

  it('are all used', () => {
    // The pages also show messages of errors, and reasons in them.
    const source = [API, join(API, '../people'), join(API, '../edge'), join(API, '../platform')]
      .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
      .filter((name) => name.endsWith('.ts') && !name.endsWith('german.ts'))
      .map((name) => readFileSync(name, 'utf8'))
      .join('\n');
    const isUsed = (text: string) => source.includes(`'${text}'`) || source.includes(`"${text}"`);
    assert.deepEqual(
      Object.keys(GERMAN).filter((text) => !isUsed(text)),
      [],
    );
  });

  for (const page of PAGES) {
    it(`stand nowhere else: ${page} has no words between its tags`, () => {
      assert.deepEqual(wordsBetweenTags(read(page)), []);
    });
  }

  it('are escaped, with their values', () => {
    const inGerman = (name: string) => GERMAN['Logged in as {name}.'].replace('{name}', name);
    const [words, name] = [new Words('de'), html`<strong>${'<b>'}</strong>`];
    assert.equal(words.tx('Logged in as {name}.', { name }).text, inGerman('<strong>&lt;b&gt;</strong>'));
    assert.equal(words.tx('Logged in as {name}.', { name: '<b>' }).text, inGerman('&lt;b&gt;'));
    assert.equal(new Words('en').t('Allow {name}?', { name: '{name}' }), 'Allow {name}?');
  });
});

/** What a reader would see of the templates of HTML in a source text that is no value. */
function wordsBetweenTags(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const texts: string[] = [];
  /** Both return where the template or the code ends that begins here. */
  const readTemplate = (from: number, isInTag: boolean): number => {
    const isHtml = code.slice(0, from - 1).endsWith('html') && !isInTag;
    let [at, text] = [from, ''];
    while (at < code.length && code[at] !== '`') {
      const isValue = code.startsWith('${', at);
      text += isValue ? '$' : code[at];
      at = isValue ? readCode(at + 2, text.lastIndexOf('<') > text.lastIndexOf('>')) : at + 1;
    }
    if (isHtml) texts.push(text.replace(/<[^>]*>/g, ''));
    return at + 1;
  };
  const readCode = (from: number, isInTag: boolean): number => {
    let at = from;
    while (at < code.length && code[at] !== '}') {
      const [string] = /^(['"]).*?\1/.exec(code.slice(at)) ?? [''];
      if (code[at] === '`') at = readTemplate(at + 1, isInTag);
      else if (code[at] === '{') at = readCode(at + 1, isInTag);
      else at += string.length || 1;
    }
    return at + 1;
  };
  readCode(0, false);
  assert.ok(texts.length > 0, 'no template was found');
  return texts.filter((text) => /\p{L}/u.test(text)).map((text) => text.trim());
}
