import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html } from '../../../../src/platform/html';
import { GERMAN, GERMAN_WRITTEN } from '../../../../src/platform/words/german';
import { Words } from '../../../../src/platform/words/words';

const SRC = join(__dirname, '../../../../src');
const API = join(SRC, 'api');
const CATALOGUES = join(SRC, 'platform/words/german');
/** The pages that are in the language of the browser. */
const PAGES = [
  ...[
    'login',
    'consent',
    'register-app',
    'authorizations',
    'acknowledge',
    'confirm',
    'unsubscribe',
    'reset-password',
  ].map((name) => `pages/${name}.page.ts`),
  ...['actions', 'line-chart', 'load-charts', 'page', 'parts', 'receivers', 'storage', 'user-page', 'users-page'].map(
    (name) => `operators/${name}.ts`,
  ),
  ...['pages/page.ts', 'pages/page-user.ts', 'oauth1/oauth1-pages.ts', 'oauth2/authorize.page.ts'],
];
/** Made from the name of what changed. */
const THINGS = ['the password', 'the email address', 'the list of linked identities', 'the second factor'];
const read = (name: string) => readFileSync(join(API, name), 'utf8');
const namesIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();
const catalogues = () =>
  readdirSync(CATALOGUES)
    .filter((file) => file !== 'index.ts')
    .map((file) => {
      const [texts = {}] = Object.values(require(join(CATALOGUES, file)) as Record<string, Record<string, string>>);
      return { file, texts };
    });

describe('the texts of the platform', () => {
  it('are in German with the same values, in the order of the alphabet', () => {
    for (const { file, texts } of catalogues()) {
      assert.deepEqual(Object.keys(texts), Object.keys(texts).sort(), file);
      for (const [text, german] of Object.entries(texts)) {
        assert.notEqual(german.trim(), '', text);
        assert.deepEqual(namesIn(german), namesIn(text), text);
      }
    }
  });

  it('stand in one catalogue each', () => {
    const all = catalogues().flatMap(({ texts }) => Object.keys(texts));
    assert.deepEqual(
      all.filter((text, index) => all.indexOf(text) !== index),
      [],
    );
    assert.equal(all.length, Object.keys(GERMAN).length);
  });

  it('are all used, unless they are composed', () => {
    const source = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes('words/german'))
      .map((name) => readFileSync(join(SRC, name), 'utf8'))
      .join('\n');
    const isUsed = (text: string) =>
      [`'${text}'`, `"${text}"`, `${text}:`].some((one) => source.includes(one)) || THINGS.includes(text);
    assert.deepEqual(
      Object.keys(GERMAN).filter((text) => !Object.hasOwn(GERMAN_WRITTEN, text) && !isUsed(text)),
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
    const [words, name] = [Words.in('de'), html`<strong>${'<b>'}</strong>`];
    assert.equal(words.tx('Logged in as {name}.', { name }).text, inGerman('<strong>&lt;b&gt;</strong>'));
    assert.equal(words.tx('Logged in as {name}.', { name: '<b>' }).text, inGerman('&lt;b&gt;'));
    assert.equal(Words.english.t('Allow {name}?', { name: '{name}' }), 'Allow {name}?');
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
