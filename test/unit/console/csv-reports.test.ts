import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readTable } from '../../../console/src/csv/records';
import type { Understanding } from '../../../console/src/csv/types';
import { batchFrom, understand } from '../../../console/src/csv/understand';
import { AROUND, leftOut, minutes, NOW_MS, read, rolesOf } from '../../support/csv-readings';

describe('gaps in a file', () => {
  for (const gap of [
    '',
    '""',
    '--',
    '-',
    'NaN',
    'NA',
    'N/A',
    '#N/A',
    'null',
    'unavailable',
    'unknown',
    'none',
    ' - ',
  ]) {
    it(`are no points: ${gap || 'an empty cell'}`, () => {
      const { understanding, stored } = read(['date,value', ...minutes('21.5', gap, '21.7')]);
      assert.deepEqual(
        [understanding.kind, understanding.points, leftOut(understanding)],
        ['float', 2, { value: [3] }],
      );
      assert.deepEqual(Object.values(stored), ['21.5', '21.7']);
    });
  }

  it('leave the kind to the rest of the whole file, even if they or a text come late', () => {
    const many = Array.from({ length: 600 }, (_, at) => new Date(NOW_MS - (600 - at) * 60_000).toISOString());
    const fileWith = (cell: string) => ['date,value', ...many.map((date, at) => `${date},${at === 590 ? cell : at}`)];
    assert.equal(read(fileWith('')).understanding.kind, 'float');
    const { kind, points, leftOut: lines } = read(fileWith('ERR')).understanding;
    assert.deepEqual(
      [kind, points, lines[0]?.examples],
      ['float', 599, [{ line: 592, text: '“ERR” is not a number' }]],
    );
    const asTexts = read(fileWith('ERR'), { roles: { 1: 'text' } }).understanding;
    assert.deepEqual(
      [asTexts.kind, asTexts.points, asTexts.columns[1]?.note],
      ['string', 600, 'Most are numbers, but line 592 has “ERR”.'],
    );
  });

  it('leave their field out of a JSON value, and the line where no field has a value', () => {
    const { stored, understanding } = read(['date,a,b', ...minutes('1,--', ',', '-,2')]);
    assert.deepEqual(Object.values(stored), [{ a: 1 }, { b: 2 }]);
    assert.deepEqual(leftOut(understanding), { value: [3] });
  });
});

describe('several lines of one date', () => {
  const twice = ['date,value', ...minutes('1', '2'), '2026-11-20T10:00:00Z,3', '2026-11-20T10:00:00.001Z,4'];

  it('are counted, and kept a millisecond apart where no other line is', () => {
    const { understanding, stored } = read(twice);
    assert.deepEqual(understanding.shared, { lines: 2, dates: 1, examples: [2, 4], sharing: 'apart' });
    assert.deepEqual(stored, {
      '2026-11-20T10:00:00.000Z': '1',
      '2026-11-20T10:00:00.001Z': '4',
      '2026-11-20T10:00:00.002Z': '3',
      '2026-11-20T10:01:00.000Z': '2',
    });
  });

  it('are one point if only the last is kept', () => {
    const { understanding, stored } = read(twice, { sharing: 'last' });
    assert.deepEqual([understanding.points, understanding.used], [3, 4]);
    assert.equal(stored['2026-11-20T10:00:00.000Z'], '3');
  });

  it('are one point if one repeats the other exactly', () => {
    const { understanding } = read(['date,value', ...minutes('1', '2'), ...minutes('1', '2')]);
    assert.deepEqual([understanding.points, understanding.repeated, understanding.shared.lines], [2, 2, 0]);
  });

  const variables = ['temperature', 'humidity', 'pressure'];
  const long = [
    'timestamp,variable,unit,value',
    ...[0, 1, 2].flatMap((minute) =>
      variables.map((name, at) => `2026-11-20 10:0${minute}:00,${name},${['°C', '%', 'hPa'][at]},${minute + at * 10}`),
    ),
  ];

  it('are fields of one value in a file that names a variable in each line', () => {
    const { understanding, stored } = read(long);
    assert.deepEqual(understanding.long, { column: 'variable', names: variables, used: true });
    assert.deepEqual(rolesOf(understanding), ['date', 'variable', 'unused', 'number']);
    assert.deepEqual([understanding.used, understanding.points, understanding.shared.lines], [9, 3, 0]);
    assert.deepEqual(stored['2026-11-20T09:02:00.000Z'], { temperature: 2, humidity: 12, pressure: 22 });
  });

  it('are all kept if variables are not used as fields, or a variable comes twice', () => {
    assert.equal(read(long, { long: false }).understanding.points, 9);
    const again = read([...long, '2026-11-20 10:00:00,humidity,%,99']);
    assert.deepEqual([again.understanding.points, again.understanding.shared.lines], [4, 4]);
    assert.deepEqual(again.stored['2026-11-20T09:00:00.001Z'], { humidity: 99 });
  });

  it('keep the kind of each variable, as Home Assistant exports several entities', () => {
    const { stored, understanding } = read([
      'entity_id,state,last_changed',
      'sensor.hall,21.5,2026-11-20T10:00:00.123Z',
      'binary_sensor.door,on,2026-11-20T10:00:01.000Z',
      'sensor.hall,unavailable,2026-11-20T10:00:02.000Z',
    ]);
    assert.deepEqual(Object.values(stored), [{ 'sensor.hall': 21.5 }, { 'binary_sensor.door': 'on' }]);
    assert.deepEqual(leftOut(understanding), { value: [4] });
  });
});

describe('files without dates or values', () => {
  for (const [title, lines, message] of [
    ['with a date that is none', ['date,value', '', 'soon,1'], 'Line 3: “soon” is not a date.'],
    ['that count seconds from a start', ['Second,Volt', '-0.0035,0.12', '-0.0034,0.13'], /^No column holds dates\./],
    ['without anything', ['', '  '], 'The file is empty.'],
    ['with dates alone', ['date', '2026-11-20T10:00:00Z'], /^No column holds dates\.|No column has values\./],
    ['with empty values alone', ['date,value', ...minutes('', '-')], 'No column has values.'],
  ] as const) {
    it(`are refused ${title}`, () => assert.throws(() => read(lines), { message }));
  }
});

describe('lines of a file', () => {
  it('are numbered from the first line of the file', () => {
    const { understanding } = read('\n\ndate,value\n\n"2026-11-20T10:00:00Z","two\nlines"\n\r\n30.02.2026,x\nsoon,y\n');
    assert.deepEqual([understanding.namesAt, leftOut(understanding)], [3, { date: [8, 9] }]);
  });

  it('may have quotation marks inside of their cells, and blanks behind quoted ones', () => {
    const { understanding, stored } = read(['date,value', ...minutes('5" pipe', '"b" ', '"c""d"')]);
    assert.deepEqual([Object.values(stored), leftOut(understanding)], [['5" pipe', 'b', 'c"d'], {}]);
  });

  it('with a quotation mark that is never closed are reported and not stored', () => {
    const { understanding, stored } = read(['date,value', ...minutes('a', '"b', 'c')]);
    assert.deepEqual([Object.values(stored), leftOut(understanding)], [['a', 'c'], { quote: [3] }]);
  });

  it('that are more than a day ahead, or before 1970, are left out until the user includes them', () => {
    const lines = ['date,value', '2026-11-26T11:00:00Z,1', '2026-11-27T12:00:00Z,2', '1969-12-31T00:00:00Z,3'];
    const { understanding } = read(lines);
    assert.deepEqual([understanding.ahead, leftOut(understanding)], [1, { ahead: [3], old: [4] }]);
    assert.deepEqual(Object.values(read(lines, { ahead: true }).stored), ['1', '2']);
  });

  it('are sent in bounded requests', () => {
    const dates = Array.from({ length: 12_000 }, (_, at) => new Date(NOW_MS - at * 1000).toISOString());
    const { points } = understand(readTable(`date,value\n${dates.map((date) => `${date},1`).join('\n')}`), {}, AROUND);
    assert.deepEqual([batchFrom(points, 0).length, batchFrom(points, 10_000).length], [5_000, 2_000]);
    const wide = dates.slice(0, 100).map((date) => `${date},${'x'.repeat(60_000)}`);
    const text = understand(readTable(`date,value\n${wide.join('\n')}`), {}, AROUND);
    assert.equal(batchFrom(text.points, 0).length, 17);
  });

  it('with unquoted decimal commas between commas are reported by their numbers', () => {
    const { understanding } = read([
      'date,value',
      '2026-11-20 10:00,21,5',
      '2026-11-20 10:01,22',
      '2026-11-20 10:02,21,6',
    ]);
    assert.deepEqual([leftOut(understanding), understanding.points], [{ cells: [2, 4] }, 1]);
    assert.equal(understanding.leftOut[0]?.examples[0]?.text, '3 cells, but 2 columns');
  });

  it('are stored or reported with a reason, for any text', () => {
    const cells = fc.constantFrom(
      '',
      '1',
      '2,5',
      '3.5',
      'x',
      '"',
      '""',
      '2026-11-20',
      '20261120',
      '12:05',
      'null',
      ';',
      '01/02/2026',
    );
    const line = fc.array(cells, { minLength: 1, maxLength: 4 }).map((some) => some.join(','));
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 10 }),
        fc.constantFrom('day', 'month', undefined),
        (lines, order) => {
          let found: Understanding;
          try {
            found = read(['date,a,b', ...lines], { order, ahead: true }).understanding;
          } catch (error) {
            assert.match(String(error), /^(NoDates|Error): /);
            assert.ok(!(error instanceof TypeError));
            return;
          }
          if ((found.order && !found.order.chosen) || found.fillers.length > 0) return;
          const out = found.leftOut.reduce((sum, { count }) => sum + count, 0);
          assert.equal(found.used + out, found.lines);
          assert.ok(found.points <= found.used);
        },
      ),
      { numRuns: 500 },
    );
  });
});
