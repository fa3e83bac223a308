import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { many, setTranslations, t, tx } from '../../../console/src/language';
import { EVENT_CATALOGUE } from '../../../src/events/event-catalogue';
import { PRESETS } from '../../../src/notifications/presets';
import { WAYS_IN } from '../../support/ways-in';

const FOLDER = join(__dirname, '../../../console/languages');
const SOURCES = join(__dirname, '../../../console/src');
const languages = readdirSync(FOLDER);
const translationsOf = (file: string): Record<string, string> => JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
const namesIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

describe('languages of the console', () => {
  const german = translationsOf('de.json');

  for (const file of languages) {
    it(`${file} has every text, with the same values, in the order of the alphabet`, () => {
      const translations = translationsOf(file);
      const texts = Object.keys(translations);
      assert.deepEqual(texts, Object.keys(german));
      assert.deepEqual(texts, [...texts].sort());
      for (const [text, translation] of Object.entries(translations)) {
        assert.notEqual(translation.trim(), '', text);
        assert.deepEqual([...new Set(namesIn(translation))], [...new Set(namesIn(text))], text);
      }
    });
  }

  it('have the texts of the platform that the console shows', () => {
    assert.deepEqual(
      ofThePlatform().filter((text) => german[text] === undefined),
      [],
    );
  });

  it('have no text that the console does not use', () => {
    const source = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => readFileSync(join(SOURCES, name), 'utf8'))
      .join('\n');
    const known = new Set(ofThePlatform());
    const isUsed = (text: string) => ["'", '"', '`'].some((quote) => source.includes(quote + escaped(text, quote)));
    assert.deepEqual(
      Object.keys(german).filter((text) => !isUsed(text) && !known.has(text)),
      [],
    );
  });

  it('say a text in the language, with its values', () => {
    setTranslations(german);
    assert.equal(t('Sign out'), 'Abmelden');
    setTranslations({ 'Sign out': '{a} und {b}: {a}' });
    const said: unknown = (tx as (text: string, values: object) => unknown)('Sign out', { a: 1_000, b: 'two' });
    assert.deepEqual(said, ['', '1,000', ' und ', 'two', ': ', '1,000', '']);
    setTranslations({});
    assert.equal(t('Sign out'), 'Sign out');
    assert.equal((many as (...all: unknown[]) => string)(1, '{n} day', '{n} days'), '1 day');
    assert.equal((many as (...all: unknown[]) => string)(2_000, '{n} day', '{n} days'), '2,000 days');
    assert.equal((t as (text: string) => string)('Open|verb'), 'Open');
  });
});

/** Descriptions of events, fields of channels, and ways to bring data in. */
function ofThePlatform(): string[] {
  const events = Object.values(EVENT_CATALOGUE).flatMap(({ description, source }) => [description, source ?? 'sensor']);
  const fields = PRESETS.flatMap((preset) => preset.fields.flatMap(({ title, help }) => [title, help]));
  const ways: { title: string; hint: string; group: string; steps?: string[] }[] = JSON.parse(
    readFileSync(join(WAYS_IN, 'ways.txt'), 'utf8'),
  );
  return [
    ...events,
    ...fields,
    ...ways.flatMap(({ title, hint, group, steps = [] }) => [title, hint, group, ...steps]),
  ];
}

function escaped(text: string, quote: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`);
}
