import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatCsvLine, guardFormula, readRecords, withoutGuard } from '../../../../client/src/csv-records';
import { parseCsv } from '../../../../src/points/data-points/csv';

const cell = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', ',', ';', '\t', '\r', '\n', 'a', ' ') }));

describe('CSV', () => {
  it('is read as it is written, whatever the cells hold', () => {
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 5 }), (rows) => {
        for (const separator of [',', ';', '\t'] as const) {
          const text = rows.map((row) => formatCsvLine(row, separator)).join('');
          for (const read of [parseCsv, readRecords])
            assert.deepEqual(
              [...read(text, separator)].map(({ cells }) => cells),
              rows,
            );
        }
      }),
    );
  });

  it('has no formula where it is for people, and numbers as they are', () => {
    for (const text of [
      '=1+1',
      '+1+1',
      '-cmd',
      '-',
      '- no',
      '@SUM(A1)',
      '\tx',
      '\rx',
      '\nx',
      '＝1',
      "'=1",
      '-1,2,3',
      '-0x1',
    ])
      assert.equal(guardFormula(text), `'${text}`, text);
    for (const text of ['', 'a=1', '5', '-5', '+5', '-5.25', '-5,25', '-1e-7', '.5', "it's", "'", '{"a":-1}', '−5'])
      assert.equal(guardFormula(text), text);
  });

  it('returns each guarded text as it was', () => {
    const start = fc.string({ unit: fc.constantFrom("'", '=', '-', '+', '@', '\t', '1', 'a', '＝') });
    fc.assert(fc.property(fc.oneof(fc.string(), start), (text) => withoutGuard(guardFormula(text)) === text));
  });

  it('has records with the line on which they begin, and ends lines in both ways', () => {
    const records = [...parseCsv('a,b\r\n\r\n"1\n2",3\n4,\n,5')];
    assert.deepEqual(records, [
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: [''] },
      { line: 3, cells: ['1\n2', '3'] },
      { line: 5, cells: ['4', ''] },
      { line: 6, cells: ['', '5'] },
    ]);
    for (const text of ['a"b', '"a"b', '"a', '"a""', 'x,"'])
      assert.deepEqual(
        [...parseCsv(text)].map(({ line, cells }) => ({ line, cells })),
        [{ line: 1, cells: null }],
        text,
      );
  });

  it('of a person may have quotes inside of cells, and is read on after the line of a misplaced one', () => {
    assert.deepEqual(
      [...readRecords('5" pipe;"a" ;1\n"x"y;2\n"c;3\nd"e;4\n"f\ng";5', ';')],
      [
        { line: 1, cells: ['5" pipe', 'a', '1'] },
        { line: 2, cells: null, length: 0, text: '"x"y;2' },
        { line: 3, cells: null, length: 0, text: '"c;3' },
        { line: 4, cells: ['d"e', '4'] },
        { line: 5, cells: ['f\ng', '5'] },
      ],
    );
  });

  it('has records of up to 400,000 characters, and says how long a longer one is', () => {
    const long = 'a'.repeat(199_999);
    assert.deepEqual([...parseCsv(`x\n${long},${long}\n`)].length, 2);
    assert.deepEqual([...parseCsv(`x\n${long},${long}aa\ny`)].at(-1), {
      ...{ line: 2, cells: null, why: 'has 400001 characters, more than the 400000 that a line may have' },
    });
    const quotes = '""'.repeat(99_998);
    assert.deepEqual([...parseCsv(`"${quotes}",1`)], [{ line: 1, cells: ['"'.repeat(99_998), '1'] }]);
    const [endless] = parseCsv(`"${'""'.repeat(300_000)}"`);
    assert.match(JSON.stringify(endless), /no closing one within 400000 characters/);
  });
});
