import assert from 'node:assert/strict';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const script = (name: string) => import(join(root, `scripts/support/${name}.mjs`));

describe('the tests of a change', () => {
  const related = async (...changed: string[]): Promise<string[]> => {
    const [{ relatedTests }, { allTests }] = await Promise.all([script('related-tests'), script('test-files')]);
    return relatedTests(root, changed, allTests(root));
  };

  it('in one wing are its own and the unit tests that use the file', async () => {
    const files = await related('src/points/point-store/packer.ts');
    const places = new Set(files.map((file) => file.split('/').slice(0, 3).join('/')));
    assert.ok(places.has('test/api/points') && places.has('test/flow/points'), [...places].join(' '));
    assert.ok(!places.has('test/api/people') && !places.has('test/flow/alerts'), [...places].join(' '));
    assert.ok(files.includes('test/integration/packed-changes.test.ts'));
    assert.ok(!files.includes('test/unit/language/expression.test.ts'));
  });

  it('of what all wings use are those that belong to none, and the unit tests that reach it', async () => {
    const files = await related('src/platform/exact-json.ts');
    assert.ok(files.includes('test/unit/platform/exact-json.test.ts'));
    assert.ok(files.includes('test/api/platform/hostile-bodies.test.ts'));
  });

  it('of a test alone are that test', async () => {
    assert.deepEqual(await related('test/unit/guard.test.ts'), ['test/unit/guard.test.ts']);
  });

  it('of a page in the browser and of documentation are those of the folder', async () => {
    assert.ok((await related('console/src/routes.ts')).includes('test/browser/console.test.ts'));
    const ofDocs = await related('docs/limits.md');
    assert.ok(ofDocs.includes('test/unit/products.test.ts'));
    assert.ok(ofDocs.every((file) => /^test\/unit\/(docs\/|file-sizes|lint-|products|row-owners)/.test(file)));
  });
});

describe('the parts of a test run', () => {
  const partsOf = async (of: number): Promise<string[][]> => {
    const { testFiles } = await script('test-files');
    return Array.from({ length: of }, (_, index) => {
      const { together, alone } = testFiles(root, { shard: { number: index + 1, of } });
      return [...together, ...alone];
    });
  };

  it('are together all tests of the run, each once', async () => {
    const [[whole = []], parts] = await Promise.all([partsOf(1), partsOf(3)]);
    assert.deepEqual(parts.flat().sort(), [...whole].sort());
    assert.ok(parts.every((part) => part.length > 10));
  });

  it('are those of the day or of the night, which leave none out', async () => {
    const { allTests, testFiles } = await script('test-files');
    const filesOf = (isNight: boolean): string[] => Object.values<string[]>(testFiles(root, { isNight })).flat();
    const files = new Set([...filesOf(false), ...filesOf(true)]);
    assert.deepEqual([...files].sort(), allTests(root));
  });

  it('are refused where there is no such part', async () => {
    const { readOptions } = await script('test-options');
    assert.deepEqual(readOptions(['--shard', '2/3', '-g', 'a title', 'test/a.test.ts']), {
      options: ['-g', 'a title'],
      files: ['test/a.test.ts'],
      selection: { shard: { number: 2, of: 3 } },
      related: undefined,
    });
    for (const wrong of ['0/3', '4/3', 'x', '']) assert.throws(() => readOptions(['--shard', wrong]), /--shard/);
  });
});
