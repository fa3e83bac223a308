import assert from 'node:assert/strict';
import { join } from 'node:path';

interface Judged {
  passed: number;
  failed: number;
  skipped: number;
  lines: string[];
}

const script = join(__dirname, '../../scripts/support/test-counts.mjs');
const root = '/project';
const file = (name: string) => `${root}/test/unit/${name}.test.ts`;
const COUNTS = { passed: 3, failed: 0, ended: true, files: [file('a'), file('b')], skipped: [] };
const GIVEN = ['--parallel', 'test/unit/a.test.ts', 'test/unit/b.test.ts'];

describe('the counts of a test run', () => {
  const judge = async (counts: object | undefined, settings: object = {}): Promise<Judged> => {
    const { judgeCounts } = await import(script);
    return judgeCounts(counts, { code: 0, given: GIVEN, root, isStrict: false, ...settings });
  };
  const skipping = { ...COUNTS, skipped: [{ file: file('a'), title: 'a thing works' }] };

  it('are those of the reporter', async () => {
    assert.deepEqual(await judge(COUNTS), { passed: 3, failed: 0, skipped: 0, lines: [] });
  });

  it('have a failure for each file without a result', async () => {
    const { failed, lines } = await judge(COUNTS, { given: [...GIVEN, 'test/unit/c.test.ts', 'test/d/*.test.ts'] });
    assert.deepEqual([failed, lines], [1, ['test/unit/c.test.ts has no result']]);
  });

  it('do not miss the files of a run that selects tests by their name', async () => {
    assert.equal((await judge({ ...COUNTS, files: [] }, { given: [...GIVEN, '--grep', 'a'] })).failed, 0);
  });

  it('have a failure if mocha ends before its last test', async () => {
    assert.equal((await judge({ ...COUNTS, ended: false }, { code: 1 })).failed, 1);
    assert.equal((await judge(undefined, { code: 1 })).failed, 2);
    assert.equal((await judge(COUNTS, { code: 7 })).failed, 1);
  });

  it('name the skipped tests, and fail on the build machine if their file is not listed', async () => {
    assert.deepEqual(await judge(skipping), { passed: 3, failed: 0, skipped: 1, lines: [] });
    const { failed, lines } = await judge(skipping, { isStrict: true });
    assert.deepEqual([failed, lines.length], [1, 1]);
    assert.match(lines[0] ?? '', /a thing works/);
    const listed = { ...COUNTS, skipped: [{ file: `${root}/test/flow/platform/tour.test.ts`, title: 'zsh' }] };
    assert.equal((await judge(listed, { isStrict: true })).failed, 0);
  });
});
