import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ruleState, STATES, sensorState, stateWord, worstState } from '../../../console/src/ui/states';
import { lookOf, STATES as SENT_STATES } from '../../../src/platform/states';
import { Words } from '../../../src/platform/words/words';

const SOURCES = join(__dirname, '../../../console/src');
const TABLE = readFileSync(join(SOURCES, 'styles/states.css'), 'utf8');

function filesOf(pattern: RegExp): { name: string; text: string }[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => ({ name: relative('.', name), text: readFileSync(join(SOURCES, name), 'utf8') }));
}

/** The last value of a property in the rules of the table for a state. */
function inTable(state: string, property: string): string | undefined {
  const rules = [...TABLE.matchAll(/([^{}]+)\{([^{}]*)\}/g)];
  const own = rules.filter(([, selectors = '']) =>
    selectors.split(',').some((one) => one.trim().endsWith(`.is-${state}`)),
  );
  const values = own.flatMap(([, , body = '']) => new RegExp(`${property}: ([^;]+);`).exec(body)?.[1] ?? []);
  return values.at(-1);
}

describe('the states in the console', () => {
  it('have one sign and one colour each, in one table; no two have the same sign', () => {
    const signs = STATES.map((state) => inTable(state, '--sign'));
    assert.ok(!signs.includes(undefined), `${STATES} have ${signs}`);
    assert.equal(new Set(signs).size, STATES.length, String(signs));
    for (const state of STATES) assert.match(inTable(state, '--ink') ?? '', /^var\(--[a-z]+\)$/, state);
    const colours = ['critical', 'warning', 'info', 'acknowledged', 'inactive', 'ok'].map((one) =>
      inTable(one, '--ink'),
    );
    assert.equal(new Set(colours).size, colours.length, 'what must be distinct at a glance has a colour of its own');
  });

  it('get their colours from the table on every page', () => {
    const words = STATES.map(stateWord).join('|');
    const bySelf = new RegExp(
      `<Status[^>]*>\\s*\\{t\\('(${words})(\\|[a-z]+)?'\\)|<Status[^>]*>\\{t\\((?:severity|\\w*Severity)`,
    );
    for (const { name, text } of filesOf(/\.tsx$/)) assert.doesNotMatch(text, bySelf, name);
    const ofState = new RegExp(`\\.is-(${STATES.join('|')})\\b[^{}]*\\{[^{}]*(--ink|--sign|[^-]color):`);
    for (const { name, text } of filesOf(/\.css$/)) {
      if (!name.endsWith('states.css')) assert.doesNotMatch(text, ofState, name);
      if (!/(states|tokens)\.css$/.test(name)) assert.doesNotMatch(text, /var\(--(info|known|absent)(-soft)?\)/, name);
    }
  });

  it('have the same signs, words and colours in mails and on pages behind links, in both languages', () => {
    const tokens = readFileSync(join(SOURCES, 'styles/tokens.css'), 'utf8').split('[data-theme="dark"]');
    const german = JSON.parse(readFileSync(join(SOURCES, '../languages/de.json'), 'utf8'));
    for (const state of SENT_STATES) {
      const { sign, word, light, dark } = lookOf(state);
      assert.equal(`"${sign}"`, inTable(state, '--sign'), state);
      assert.equal(word, stateWord(state), state);
      assert.equal(Words.in('de').t(word), german[word], state);
      for (const [theme, colours] of [light, dark].entries()) {
        const found = ['--ink', '--soft'].map((property) => {
          const token = /--[a-z-]+/.exec(inTable(state, property) ?? '')?.[0];
          return new RegExp(`${token}: (#[0-9a-f]{6});`).exec(tokens[theme] ?? '')?.[1];
        });
        assert.deepEqual(colours, found, `${state}, ${theme ? 'dark' : 'light'}`);
      }
    }
  });

  it('of a sensor are those of its worst rule, or of its missing data', () => {
    const rule = { active: true, last_error: '', state: 'ok', severity: 'info' } as const;
    assert.equal(ruleState({ ...rule, active: false, state: 'firing' }), 'paused');
    assert.equal(ruleState({ ...rule, last_error: 'no field x' }), 'broken');
    assert.equal(ruleState({ ...rule, state: 'firing', last_error: 'no field x' }), 'info');
    assert.equal(sensorState([rule], false), 'ok');
    assert.equal(sensorState([{ ...rule, state: 'pending' }, rule], false), 'pending');
    assert.equal(sensorState([{ ...rule, state: 'firing' }], true), 'info');
    assert.equal(sensorState([rule], true), 'inactive');
    assert.equal(sensorState([{ ...rule, active: false }], false), undefined);
    assert.equal(worstState(['ok', 'warning', 'inactive']), 'warning');
  });
});
