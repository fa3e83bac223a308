import assert from 'node:assert/strict';
import { planParts } from '../../../console/src/dashboards/plan-values';
import { formatValue, valueParts } from '../../../console/src/format';
import {
  columnParts,
  columnWriter,
  formatNumber,
  formatStored,
  formatWithin,
  joined,
  quantity,
  tickTexts,
  writerFor,
} from '../../../console/src/quantity';

/** Numbers and units are joined by a space that does not break. */
const spaced = (text: string) => text.replaceAll('\u00a0', ' ');

describe('a stored number in the console', () => {
  const cases: [number, string][] = [
    [20.123, '20.123'],
    [1031.25, '1,031.25'],
    [31.200000762939453, '31.2'],
    [-0.10000000149011612, '−0.1'],
    [0.1, '0.1'],
    [123456.789012, '123,456.789012'],
    [0, '0'],
  ];
  for (const [number, shown] of cases) {
    it(`${number} is shown as ${shown}`, () => assert.equal(formatStored(number), shown));
  }
});

describe('a number in the console', () => {
  const cases: [number, string][] = [
    [8_864_197_523, '8,864,197,523'],
    [-1_234_567.89, '−1,234,568'],
    [999_999.4, '999,999'],
    [20.1234567, '20.1235'],
    [0.00001234567, '0.0000123457'],
    [1.5e15, '1.5E15'],
    [Number.MAX_VALUE, '1.79769E308'],
    [0, '0'],
  ];
  for (const [number, shown] of cases) {
    it(`${number} is shown as ${shown}`, () => assert.equal(formatNumber(number), shown));
  }

  it('has the decimals that its range needs', () => {
    assert.equal(formatWithin(20.12345, { low: 18, high: 22 }), '20.12');
    assert.equal(formatWithin(0.000012345, { low: 0, high: 0.00002 }), '0.000012');
    assert.equal(formatWithin(20.12345, { low: 20, high: 20 }), '20.1235');
  });
});

describe('a quantity in the console', () => {
  const cases: [number, string, string][] = [
    [8_864_197_523, 'B', '8.255 GiB'],
    [8_864_197_523, 'bytes', '8.255 GiB'],
    [2_048, 'B', '2,048 B'],
    [123_456_789, 'B/s', '117.7 MiB/s'],
    [123_456_789, 'bit/s', '123.5 Mbit/s'],
    [15_300, 'W', '15.3 kW'],
    [-15_300, 'W', '−15.3 kW'],
    [9_999, 'W', '9,999 W'],
    [1e30, 'Wh', '1,000,000,000,000 EWh'],
    [101_325, 'Pa', '101,325 Pa'],
    [1_013.25, 'hPa', '1,013.25 hPa'],
    [15_300, '', '15,300'],
    [21.5, '°C', '21.5 °C'],
  ];
  for (const [number, unit, shown] of cases) {
    it(`${number} ${unit} is shown as ${shown}`, () => assert.equal(spaced(quantity(number, unit)), shown));
  }

  it('of a range has one prefix', () => {
    const { unit, stored, within } = writerFor('B', { low: 1_000, high: 4_000_000 });
    assert.deepEqual(
      [unit, stored(1_000), within(2_000_000), stored(4_000_000)],
      ['MiB', '0.0009537', '1.907', '3.815'],
    );
    const plain = writerFor('°C', { low: -1.5, high: 31.25 });
    assert.deepEqual([plain.unit, plain.stored(31.25), plain.within(12.3456)], ['°C', '31.25', '12.3']);
  });
});

describe('a column of numbers', () => {
  const written = (numbers: number[], most: number) => numbers.map(columnWriter(numbers, most));
  it('has one number of decimals, as many as its numbers need', () => {
    assert.deepEqual(written([-19.38, -19.8, -18], 4), ['−19.38', '−19.80', '−18.00']);
    assert.deepEqual(written([1, 2], 4), ['1', '2']);
    assert.deepEqual(written([1 / 3, 2 / 3], 2), ['0.33', '0.67']);
    assert.deepEqual(written([], 2), []);
    assert.deepEqual(written([-0.001], 2), ['0']);
  });

  it('has the same decimals for all numbers of a unit, at most two', () => {
    const all = [
      [-19.5, '°C'],
      [-18.123456, '°C'],
      [0.0035, 'V'],
      [12.5, 'V'],
      [21_000, 'W'],
      [1_234_567.8, ''],
    ] as const;
    const write = columnParts(all);
    assert.deepEqual(
      all.map(([number, unit]) => spaced(joined(write(number, unit).value, write(number, unit).unit))),
      ['−19.50 °C', '−18.12 °C', '0.0035 V', '12.5 V', '21 kW', '1,234,568'],
    );
  });
});

describe('the values on a plan', () => {
  it('have their own decimals, at least one where another of the unit has some', () => {
    const all = [
      ['-19', { unit: '°C' }],
      ['-18.5', { unit: '°C' }],
      ['7.826', { unit: '°C' }],
      ['71', { unit: '%' }],
      ['8864197523', { unit: 'B' }],
    ] as const;
    const parts = planParts(all);
    assert.deepEqual(
      all.map(([text, units]) => spaced(joined(parts(text, units).value, parts(text, units).unit))),
      ['−19.0 °C', '−18.5 °C', '7.83 °C', '71 %', '8.255 GiB'],
    );
  });

  it('are the first two fields of a JSON value; their units distinguish them', () => {
    const units = { field_units: { celsius: '°C', humidity: '%' } };
    const parts = planParts([]);
    const { value } = parts('{"celsius": 21.5, "humidity": 44, "battery": 3}', units);
    assert.equal(spaced(value), '21.5 °C · 44 %');
    assert.equal(parts('waiting', {}).value, 'waiting');
  });
});

describe('the texts of a scale', () => {
  const cases: [numbers: number[], step: number, unit: string, texts: string[]][] = [
    [[-19.1, -19, -18.9], 0.1, '°C', ['−19.1', '−19.0', '−18.9']],
    [[0, 2.5, 5], 2.5, '', ['0.0', '2.5', '5.0']],
    [[0, 5, 10], 5, '', ['0', '5', '10']],
    [[0, 2 ** 32, 2 ** 33], 2 ** 32, 'B', ['0', '4 Gi', '8 Gi']],
    [[0, 2 ** 29, 2 ** 30], 2 ** 29, 'B', ['0.0', '0.5 Gi', '1.0 Gi']],
    [[8_864_000_000, 8_864_500_000], 500_000, '', ['8.8640 G', '8.8645 G']],
    [[999_000, 999_500], 500, '', ['999,000', '999,500']],
    [[0, 10_000, 20_000], 10_000, 'W', ['0', '10 k', '20 k']],
    [[1_200_000, 1_400_000], 200_000, 'ppm', ['1,200,000', '1,400,000']],
    [[1e-7, 2e-7], 1e-7, '', ['0.0000001', '0.0000002']],
  ];
  for (const [numbers, step, unit, texts] of cases) {
    it(`${texts.join(' ')} are ${numbers} ${unit}`, () => {
      assert.deepEqual(tickTexts(numbers, step, unit).map(spaced), texts);
    });
  }
});

describe('the value of a data point in the console', () => {
  it('has the unit of its sensor, and words for true and false', () => {
    assert.equal(spaced(formatValue('21.5', { unit: '°C' })), '21.5 °C');
    assert.equal(formatValue('21.5'), '21.5');
    assert.equal(formatValue('true'), 'true');
    assert.equal(formatValue('false', { unit: 'closed/open' }), 'closed');
    assert.equal(formatValue('true', { unit: ' closed / open ' }), 'open');
    assert.equal(formatValue('true', { unit: 'km/h/s' }), 'true');
    assert.equal(spaced(formatValue('90', { unit: 'km/h' })), '90 km/h');
    assert.deepEqual(valueParts('20000', { unit: 'W' }), { value: '20', unit: 'kW' });
  });

  it('has the units of its fields', () => {
    const units = { field_units: { t: '°C', net: 'B', door: 'closed/open' } };
    assert.equal(
      spaced(formatValue('{"t":4.25,"net":1048576,"door":true,"name":"cellar"}', units)),
      't 4.25 °C · net 1 MiB · door open · name cellar',
    );
    assert.equal(formatValue(`{"text":"${'a'.repeat(100)}"}`).length, 61);
  });
});
