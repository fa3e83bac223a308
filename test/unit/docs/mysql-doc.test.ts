import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readPage, tablesIn } from '../../support/markdown';

const ROOT = join(__dirname, '../../..');

/** Features on which engines and clusters differ, as the page names them, and how they are found in statements. */
const FEATURES: readonly [name: string, pattern: RegExp][] = [
  ['FOR UPDATE', /\bFOR UPDATE\b|LOCK\.UPDATE/],
  ['LOCK IN SHARE MODE', /\bLOCK IN SHARE MODE\b|\bFOR SHARE\b|LOCK\.SHARE/],
  ['SKIP LOCKED', /\bSKIP LOCKED\b|skipLocked/],
  ['NOWAIT', /\bNOWAIT\b/],
  ['GET_LOCK', /\bGET_LOCK\(/],
  ['ON DUPLICATE KEY UPDATE', /\bON DUPLICATE KEY UPDATE\b/],
  ['INSERT IGNORE', /\bINSERT IGNORE\b/],
  ['JSON_…', /\bJSON_[A-Z]+\(/],
  ['OVER', /\bOVER \(/],
  ['REGEXP', /\bREGEXP '/],
  ['information_schema.processlist', /\binformation_schema\.processlist\b/],
  ['KILL QUERY', /\bKILL QUERY\b/],
  ['CREATE TRIGGER', /\bCREATE TRIGGER\b/],
  ['CREATE PROCEDURE', /\bCREATE PROCEDURE\b/],
  ['CREATE EVENT', /\bCREATE EVENT\b/],
  ['LOAD DATA', /\bLOAD DATA\b/],
  ['REPLACE INTO', /\bREPLACE INTO\b/],
  ['SAVEPOINT', /\bSAVEPOINT\b/],
  ['LOCK TABLES', /\bLOCK TABLES\b/],
  ['MD5', /\bMD5\(/],
  ['SHA1', /\bSHA1?\(/],
];

/** Functions that MySQL had and has removed, up to 9.7: an old migration runs on them, too. */
const REMOVED = /\b(MD5|SHA|SHA1|PASSWORD|OLD_PASSWORD|ENCRYPT|DES_ENCRYPT|DES_DECRYPT|ENCODE|DECODE)\(/;

const codesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map((found) => found[1] ?? '');

/** The code of a file without its comments. */
function codeOf(file: string): string {
  return readFileSync(file, 'utf8').replace(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$|\s\/\/ .*$/gm, '');
}

function sources(): string[] {
  return readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('generated/'))
    .map((file) => join(ROOT, 'src', file));
}

describe('docs/operate/mysql.md', () => {
  const table = tablesIn(readPage('docs/operate/mysql.md')).find(({ heading }) => heading === 'The SQL in use');
  const rows = table?.rows ?? assert.fail('no table of features');
  const promised = new Map(
    rows.flatMap(({ feature, where }) => codesIn(feature).map((name) => [name, where ?? ''] as const)),
  );
  const all = sources().map((file) => ({ file: relative(ROOT, file), code: codeOf(file) }));
  const codes = all.filter(({ file }) => !file.startsWith('src/storage/migrations/'));

  it('lists the features of SQL that are looked for, and no others', () => {
    assert.deepEqual([...promised.keys()].sort(), FEATURES.map(([name]) => name).sort());
  });

  for (const [name, pattern] of FEATURES) {
    it(`names where ${name} is used`, () => {
      const where = promised.get(name) ?? '';
      const users = codes.filter(({ code }) => pattern.test(code)).map(({ file }) => file);
      if (where === 'anywhere') assert.ok(users.length > 0);
      else assert.deepEqual(users.sort(), where.startsWith('nowhere') ? [] : codesIn(where).sort());
    });
  }

  it('is about statements, those of migrations included, without functions that MySQL has removed', () => {
    assert.ok(all.length > codes.length);
    assert.deepEqual(
      all.filter(({ code }) => REMOVED.test(code)).map(({ file }) => file),
      [],
    );
  });

  it('is right that an evaluation pass writes the rows that it locks, and counts the rows that it deletes', () => {
    const codeOfFile = (name: string) => codes.find(({ file }) => file === name)?.code ?? '';
    assert.match(
      codeOfFile('src/points/inbox/partition-layout.ts'),
      /UPDATE partitions SET state_epoch = state_epoch \+ 1/,
    );
    assert.doesNotMatch(codeOfFile('src/alerts/evaluation/pass.ts'), /FOR UPDATE/);
    assert.match(codeOfFile('src/points/inbox/inbox-rows.ts'), /needRows\(\{ affectedRows \}, ids\.length\)/);
  });
});
