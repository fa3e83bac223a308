import assert from 'node:assert/strict';
import document from '../../../src/generated/openapi.json';
import { readPage } from '../../support/markdown';

const page = readPage('docs/no-alert.md');
const forUsers = page.slice(0, page.indexOf('## For operators'));
const text = JSON.stringify(document);
/** The beginning of an error. */
const OTHERS = new Set(['tls']);

describe('docs/no-alert.md', () => {
  it('names fields, reasons and states that the API has', () => {
    const words = [...forUsers.matchAll(/`"?([a-z][a-z_-]+)"?(?:: [^`]*)?`/g)].map(([, word = '']) => word);
    assert.ok(words.length > 40);
    const unknown = words.filter((word) => !OTHERS.has(word) && !text.includes(`"${word}"`));
    assert.deepEqual(unknown, []);
  });

  it('names paths that the API has', () => {
    const paths = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{id}'));
    const named = [...forUsers.matchAll(/(?:get "?|POST |GET )(\/[\w/{}$-]+)/g)].map(([, path = '']) =>
      path.replace(/\$[A-Z]+/g, '{id}'),
    );
    assert.ok(named.length > 8);
    assert.deepEqual(
      named.filter((path) => !paths.includes(path)),
      [],
    );
  });

  it('explains each reason of a decision', () => {
    const reasons = Object.keys(document.components.schemas.DecisionCounts.properties);
    // With the trigger switched off, or only watching for inactivity, there is no alert to expect from a point.
    const unexpected = new Set(['inactive', 'no-expression', 'resolved', 'keeps-firing']);
    assert.deepEqual(
      reasons.filter((reason) => !unexpected.has(reason) && !page.includes(`\`${reason}\``)),
      [],
    );
  });
});
