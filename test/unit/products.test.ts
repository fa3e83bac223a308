import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('the products of limits in docs/limits.md', () => {
  const [, section = ''] = read('docs/limits.md').split('\n## Products\n');
  const rows = (section.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()));

  it('stand once each', () => {
    const loops = rows.map(([, loop, factors]) => `${loop}: ${factors}`);
    assert.deepEqual(loops, [...new Set(loops)]);
  });

  it('are several', () => {
    assert.ok(rows.length >= 20, `${rows.length} rows`);
  });

  for (const [, loop = '', factors = '', limit = '', beyond = '', attack = ''] of rows) {
    it(`${loop}: ${factors}`, () => {
      const path = loop.replaceAll('`', '');
      assert.ok(existsSync(join(ROOT, path)), `${path} does not exist`);
      assert.ok(factors.includes('×') && beyond !== '', 'a row has at least two factors, and what is beyond the limit');
      const constant = /`(\w+ = [^`]+)`/.exec(limit)?.[1] ?? '';
      const elsewhere = /in `(src\/[^`]+)`/.exec(limit)?.[1];
      assert.ok(constant && read(elsewhere ?? path).includes(constant), `${elsewhere ?? path} has no "${constant}"`);
      const [, file = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(attack) ?? [];
      assert.ok(title && read(`test/${file}.test.ts`).includes(title), `test/${file}.test.ts has no "${title}"`);
    });
  }
});
