import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readPage, tablesIn } from '../../support/markdown';

const ROOT = join(__dirname, '../../..');
const TABLES = tablesIn(readPage('docs/architecture.md'));

function tableUnder(heading: string) {
  return TABLES.find((table) => table.heading === heading)?.rows ?? assert.fail(`no table under ${heading}`);
}

/** What the checker of imports allows, from its own tables. */
function roomsOfTheChecker(): { floors: string[][]; wings: string[] } {
  const print =
    "import { floors, wings } from './scripts/lint-imports.mjs'; console.log(JSON.stringify({ floors, wings }));";
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', print], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  return JSON.parse(stdout);
}

function codesIn(cell: string | undefined): string[] {
  return [...(cell ?? '').matchAll(/`([^`]+)`/g)].map((found) => found[1] ?? '').sort();
}

describe('docs/architecture.md', () => {
  it('has the same floors and wings as the checker of imports', () => {
    const shown = tableUnder('Who may import whom').map((row) => codesIn(row.rooms));
    const { floors, wings } = roomsOfTheChecker();
    assert.deepEqual(
      shown,
      floors.map((rooms) => [...rooms].sort()),
    );
    const entered = tableUnder('Who may import whom').flatMap((row) => codesIn(row['with a door']));
    assert.deepEqual(entered.sort(), [...wings].sort());
  });

  it('shows the path of a data point in at most 14 files', () => {
    const rows = tableUnder('The path of a data point');
    assert.ok(rows.length <= 14, `${rows.length} files`);
    assert.deepEqual(
      rows.map((row) => row['#']),
      rows.map((_, index) => String(index + 1)),
    );
  });
});

describe('each decision', () => {
  const pages = readdirSync(join(ROOT, 'docs/decisions'))
    .filter((name) => name !== 'README.md')
    .sort();

  it('has the next number, except for pages that the index names as merged into others', () => {
    const index = readPage('docs/decisions/README.md');
    const merged = [...index.matchAll(/(\d+) (?:is part )?of\s+(\d+)/g)].map(([, part, whole]) => [
      Number(part),
      Number(whole),
    ]);
    const numbers = pages.map((page) => Number(page.slice(0, 4)));
    for (const [part, whole = 0] of merged) assert.ok(numbers.includes(whole), `${part} is not part of ${whole}`);
    const all = [...numbers, ...merged.map(([part = 0]) => part)].sort((a, b) => a - b);
    assert.deepEqual(
      all,
      all.map((_, index) => index + 1),
    );
  });

  it('has its row in the index, with its title and status', () => {
    const index = readPage('docs/decisions/README.md');
    const rows = index.split('\n').filter((line) => /^\| \d/.test(line));
    const expected = pages.map((page) => {
      const [title = '', , head = ''] = readPage(`docs/decisions/${page}`).split('\n');
      const status = head.replace(/^.*Status: /, '').replace(/^superseded by \[(\d+)\].*$/, 'superseded by $1');
      const number = Number(page.slice(0, 4));
      return `| ${number} | [${title.replace(/^# \d+\. /, '')}](${page}) | ${status.replace(/\.$/, '')} |`;
    });
    assert.deepEqual(rows.sort(), expected.sort());
  });

  for (const page of pages) {
    it(`begins with its number, date and status: ${page}`, () => {
      const [title = '', empty, head = ''] = readPage(`docs/decisions/${page}`).split('\n');
      assert.match(title, new RegExp(`^# ${Number(page.slice(0, 4))}\\. \\S`));
      assert.equal(empty, '');
      assert.match(head, /^Date: \d{4}-\d\d-\d\d\. Status: (accepted|superseded by \[\d+\]\([\w.-]+\))\.$/);
    });
  }
});
