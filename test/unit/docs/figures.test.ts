import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const performance = readFileSync(join(ROOT, 'docs/performance.md'), 'utf8');

/** A row of the README that names the run: `| what (2026-11-29, `1a2b3c4d`) | figures |`. */
const ROW = /^\| .*\((\d{4}-\d\d-\d\d), `([0-9a-f]{7,})`\) \| (.*) \|$/gm;
const rows = [...readme.matchAll(ROW)].map(([row, date = '', commit = '', figures = '']) => ({
  row,
  run: [date, commit],
  figures: figures.match(/\d[\d,.]*\d|\d/g) ?? [],
}));

describe('the figures of the README', () => {
  it('name the day and the commit that were measured', () => {
    const table = readme.slice(readme.indexOf('Measured on two cores'));
    const lines = table.slice(0, table.indexOf('\n## ')).match(/^\| [^|-].*$/gm) ?? [];
    assert.equal(lines.length, rows.length, 'a row of the table names no run');
    assert.ok(rows.length > 0);
  });

  for (const { row, run, figures } of rows)
    it(`are those of docs/performance.md: ${row.slice(2, 60)}…`, () => {
      const paragraphs = performance.split(/\n(?=## )/).filter((part) => run.every((name) => part.includes(name)));
      assert.ok(paragraphs.length > 0, `docs/performance.md has no run of ${run.join(', ')}`);
      for (const figure of figures)
        assert.ok(
          paragraphs.some((part) => part.includes(figure)),
          `docs/performance.md has no ${figure} next to ${run.join(', ')}`,
        );
    });
});
