import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decode } from '../../../console/src/csv/decode';
import type { Role } from '../../../console/src/csv/types';
import { leftOut, minutes, NOW_MS, namesOf, read, rolesOf } from '../../support/csv-readings';

describe('numbers in a file', () => {
  const table: readonly (readonly [
    title: string,
    separator: string,
    cells: readonly string[],
    values: readonly unknown[],
  ])[] = [
    ['decimal commas', ';', ['21,5', '-3,25', '7', '1.234,5'], ['21.5', '-3.25', '7', '1234.5']],
    ['decimal commas between tabs', '\t', ['21,5', '1.234'], ['21.5', '1234']],
    ['three decimals after a comma', ';', ['1,234', '0,001'], ['1.234', '0.001']],
    ['decimal points between semicolons', ';', ['21.5', '1.234', '.5', '5.'], ['21.5', '1.234', '0.5', '5']],
    ['groups of thousands in quotation marks', ',', ['"1,234.5"', '"12,345"'], ['1234.5', '12345']],
    ['quoted decimal commas', ',', ['"21,5"', '"1,25"'], ['21.5', '1.25']],
    ['powers of ten', ',', ['1.5e-3', '2E4', '+3'], ['0.0015', '20000', '3']],
    ['both marks, which are text', ';', ['21,5', '21.5'], ['21,5', '21.5']],
    ['codes, which are text', ',', ['007', '12'], ['007', '12']],
    [
      'more digits than a number keeps, which are text',
      ',',
      ['12345678901234567890', '1'],
      ['12345678901234567890', '1'],
    ],
  ];
  for (const [title, separator, cells, values] of table) {
    it(`are read: ${title}`, () => {
      const lines = cells.map((cell, at) => `2026-11-20T10:0${at}:00Z${separator}${cell}`);
      const { understanding, stored } = read([`date${separator}value`, ...lines]);
      assert.deepEqual(Object.values(stored), values);
      assert.equal(understanding.kind, /text/.test(title) ? 'string' : 'float');
      assert.equal(understanding.columns[1]?.read, values[0]);
    });
  }

  it('take the decimal mark of other columns if their own is ambiguous', () => {
    const { stored } = read(['Datum;Druck;Temperatur', '20.11.2026 10:00;1.013;4,5', '20.11.2026 10:10;1.014;5,0']);
    assert.deepEqual(Object.values(stored), [
      { Druck: 1013, Temperatur: 4.5 },
      { Druck: 1014, Temperatur: 5 },
    ]);
  });

  it('do not change in a column of text, for example 007', () => {
    const { stored } = read(['date,code,count', ...minutes('007,1', 'x9,2', '12,3')]);
    assert.deepEqual(Object.values(stored), [
      { code: '007', count: 1 },
      { code: 'x9', count: 2 },
      { code: '12', count: 3 },
    ]);
  });

  it('and texts become booleans in the spelling of Python and Home Assistant, in a column of booleans', () => {
    assert.equal(read(['date,value', ...minutes('True', 'False', 'true')]).understanding.kind, 'boolean');
    assert.equal(read(['date,value', ...minutes('on', 'off')]).understanding.kind, 'string');
    const { stored, understanding } = read(['date,value', ...minutes('on', 'off', 'ajar')], {
      roles: { 1: 'boolean' },
    });
    assert.deepEqual([Object.values(stored), leftOut(understanding)], [['true', 'false'], { kind: [4] }]);
  });
});

/** Files as people have them, each with its columns, its points and what else counts. */
const FILES: readonly {
  from: string;
  lines: readonly string[];
  names: readonly string[];
  roles: readonly Role[];
  stored: Record<string, unknown>;
  separator?: string;
  zone?: string;
}[] = [
  {
    from: 'Home Assistant',
    lines: [
      'entity_id,state,last_changed',
      'sensor.attic,18.25,2026-11-19T23:00:00.000Z',
      'sensor.attic,unknown,2026-11-19T23:05:00.000Z',
      'sensor.attic,18.5,2026-11-19T23:06:12.345Z',
    ],
    names: ['entity_id', 'state', 'last_changed'],
    roles: ['unused', 'number', 'date'],
    stored: { '2026-11-19T23:00:00.000Z': '18.25', '2026-11-19T23:06:12.345Z': '18.5' },
  },
  {
    from: 'ThingSpeak',
    lines: [
      'created_at,entry_id,field1',
      '2017-05-15 20:03:48 UTC,1,5',
      '2017-05-15 20:04:48 Z,2,6',
      '2017-05-15 22:05:48 +0100,3,7',
      '2017-05-15 22:06:48 +01:00,4,8',
      '2017-05-15 22:07:48 CET,5,9',
      '2017-05-15 23:08:48 CEST,6,10',
    ],
    names: ['created_at', 'entry_id', 'field1'],
    roles: ['date', 'unused', 'number'],
    stored: {
      '2017-05-15T20:03:48.000Z': '5',
      '2017-05-15T20:04:48.000Z': '6',
      '2017-05-15T21:05:48.000Z': '7',
      '2017-05-15T21:06:48.000Z': '8',
      '2017-05-15T21:07:48.000Z': '9',
      '2017-05-15T21:08:48.000Z': '10',
    },
  },
  {
    from: 'Ecowitt, with groups above the names',
    lines: [
      'Time;Outdoor;;Indoor;',
      ';Temperature(°C);Humidity(%);Temperature(°C);Humidity(%)',
      '2024/01/01 00:05;5,1;80;20,2;-',
      '2024/01/01 00:10;5,0;81;20,1;45',
    ],
    names: ['Time', 'Outdoor Temperature(°C)', 'Outdoor Humidity(%)', 'Indoor Temperature(°C)', 'Indoor Humidity(%)'],
    roles: ['date', 'number', 'number', 'number', 'number'],
    separator: ';',
    stored: {
      '2023-12-31T23:05:00.000Z': {
        'Outdoor Temperature(°C)': 5.1,
        'Outdoor Humidity(%)': 80,
        'Indoor Temperature(°C)': 20.2,
      },
      '2023-12-31T23:10:00.000Z': {
        'Outdoor Temperature(°C)': 5,
        'Outdoor Humidity(%)': 81,
        'Indoor Temperature(°C)': 20.1,
        'Indoor Humidity(%)': 45,
      },
    },
  },
  {
    from: 'Netatmo, with three lines before the data',
    lines: [
      'Name;Long;Lat;Module;Type',
      '"Home";5.1;52.2;"Living room";"NAMain"',
      'Timestamp;"Timezone : Europe/Amsterdam";Temperature;CO2',
      '1510000000;"2017/11/06 21:26:40";21.5;700',
      '1510000300;"2017/11/06 21:31:40";21.6;710',
    ],
    names: ['Timestamp', 'Timezone : Europe/Amsterdam', 'Temperature', 'CO2'],
    roles: ['date', 'unused', 'number', 'number'],
    separator: ';',
    stored: {
      '2017-11-06T20:26:40.000Z': { Temperature: 21.5, CO2: 700 },
      '2017-11-06T20:31:40.000Z': { Temperature: 21.6, CO2: 710 },
    },
  },
  {
    from: 'Open-Meteo, with the place and its zone above',
    lines: [
      'latitude,longitude,elevation,utc_offset_seconds,timezone,timezone_abbreviation',
      '52.52,13.42,38.0,0,GMT,GMT',
      '',
      'time,temperature_2m (°C),relative_humidity_2m (%)',
      '2024-01-01T00:00,5.6,80',
      '2024-01-01T01:00,5.7,81',
    ],
    names: ['time', 'temperature_2m (°C)', 'relative_humidity_2m (%)'],
    roles: ['date', 'number', 'number'],
    zone: 'UTC',
    stored: {
      '2024-01-01T00:00:00.000Z': { 'temperature_2m (°C)': 5.6, 'relative_humidity_2m (%)': 80 },
      '2024-01-01T01:00:00.000Z': { 'temperature_2m (°C)': 5.7, 'relative_humidity_2m (%)': 81 },
    },
  },
  {
    from: 'HOBO, with a title above and its offset in a name',
    lines: [
      '"Plot Title: 10123456"',
      '"#","Date Time, GMT-05:00","Temp, °C","Host Connected"',
      '1,07/15/16 12:00:00 PM,24.5,',
      '2,07/15/16 12:05:00 AM,24.6,Logged',
    ],
    names: ['#', 'Date Time, GMT-05:00', 'Temp, °C', 'Host Connected'],
    roles: ['unused', 'date', 'number', 'unused'],
    zone: '-05:00',
    stored: { '2016-07-15T05:05:00.000Z': '24.6', '2016-07-15T17:00:00.000Z': '24.5' },
  },
  {
    from: 'an oscilloscope, with its settings above',
    lines: [
      'Model,DSO-4',
      'Record Length,2,Points',
      'Sample Interval,1,s',
      'Exported,by hand',
      '',
      'Acquired,CH1,CH2',
      '2026-11-20 10:00:00.000,0.12,-1.5e-3',
      '2026-11-20 10:00:00.001,0.13,2.5e-3',
    ],
    names: ['Acquired', 'CH1', 'CH2'],
    roles: ['date', 'number', 'number'],
    stored: {
      '2026-11-20T09:00:00.000Z': { CH1: 0.12, CH2: -0.0015 },
      '2026-11-20T09:00:00.001Z': { CH1: 0.13, CH2: 0.0025 },
    },
  },
  {
    from: 'a Campbell logger, with units and what was computed below the names',
    lines: [
      '"TOA5","CR1000","CR1000","123","CR1000.Std.22","CPU:a.CR1","61138","Table1"',
      '"TIMESTAMP","RECORD","batt_volt","AirTC"',
      '"TS","RN","V","DegC"',
      '"","","Min","Avg"',
      '"2024-01-01 00:10:00",0,12.5,4.2',
      '"2024-01-01 00:20:00",1,12.4,"NAN"',
    ],
    names: ['TIMESTAMP', 'RECORD RN', 'batt_volt V', 'AirTC DegC'],
    roles: ['date', 'unused', 'number', 'number'],
    stored: {
      '2023-12-31T23:10:00.000Z': { 'batt_volt V': 12.5, 'AirTC DegC': 4.2 },
      '2023-12-31T23:20:00.000Z': { 'batt_volt V': 12.4 },
    },
  },
  {
    from: 'Excel, which names the separator in the first line',
    lines: ['sep=;', 'date;value', '31.12.2024 14:30;"1;2"', '01.01.2025;x'],
    names: ['date', 'value'],
    roles: ['date', 'text'],
    separator: ';',
    stored: { '2024-12-31T13:30:00.000Z': '1;2', '2024-12-31T23:00:00.000Z': 'x' },
  },
  {
    from: 'the DWD, every ten minutes',
    lines: ['STATIONS_ID;MESS_DATUM;PP_10;eor', '433;202401010010;   1013.2;eor', '433;202401010020;   1013.3;eor'],
    names: ['STATIONS_ID', 'MESS_DATUM', 'PP_10', 'eor'],
    roles: ['unused', 'date', 'number', 'unused'],
    separator: ';',
    stored: { '2023-12-31T23:10:00.000Z': '1013.2', '2023-12-31T23:20:00.000Z': '1013.3' },
  },
  {
    from: 'a spreadsheet with the time in a column of its own',
    lines: ['Date,Time,Min,Max', '2026-11-20,10:00,1,2', '2026-11-20,10:30,3,4', '2026-11-21,10:00,5,6'],
    names: ['Date', 'Time', 'Min', 'Max'],
    roles: ['date', 'time', 'number', 'number'],
    stored: {
      '2026-11-20T09:00:00.000Z': { Min: 1, Max: 2 },
      '2026-11-20T09:30:00.000Z': { Min: 3, Max: 4 },
      '2026-11-21T09:00:00.000Z': { Min: 5, Max: 6 },
    },
  },
  {
    from: 'a program that writes no names',
    lines: ['1795000000,21.5', '1795000060,21.6'],
    names: ['date', 'value'],
    roles: ['date', 'number'],
    stored: { '2026-11-18T11:06:40.000Z': '21.5', '2026-11-18T11:07:40.000Z': '21.6' },
  },
  {
    from: 'a program with semicolons in its names',
    lines: ['date,"a;b",c', '2026-11-20T10:00:00Z,1,2', '2026-11-20T10:01:00Z,3,4'],
    names: ['date', 'a;b', 'c'],
    roles: ['date', 'number', 'number'],
    separator: ',',
    stored: { '2026-11-20T10:00:00.000Z': { 'a;b': 1, c: 2 }, '2026-11-20T10:01:00.000Z': { 'a;b': 3, c: 4 } },
  },
  {
    from: 'the platform itself',
    lines: ['date,value.a,value.b', '1795000000,1,x', '1795000060,,y'],
    names: ['date', 'value.a', 'value.b'],
    roles: ['date', 'number', 'text'],
    stored: { '2026-11-18T11:06:40.000Z': { a: 1, b: 'x' }, '2026-11-18T11:07:40.000Z': { b: 'y' } },
  },
];

describe('files as people have them', () => {
  for (const { from, lines, names, roles, stored, separator = ',', zone } of FILES) {
    it(`are understood: of ${from}`, () => {
      const found = read(lines);
      assert.deepEqual(namesOf(found.understanding), names);
      assert.deepEqual(rolesOf(found.understanding), roles);
      assert.deepEqual(found.stored, stored);
      assert.equal(found.understanding.separator, separator);
      assert.equal(found.understanding.zoneOfFile, zone);
    });

    it(`are the same with line ends of Windows, and in UTF-16: of ${from}`, () => {
      const text = lines.join('\r\n');
      const little = Buffer.from(`\ufeff${text}`, 'utf16le');
      for (const bytes of [Buffer.from(`\ufeff${text}`), little, Buffer.from(little).swap16()]) {
        assert.deepEqual(read(decode(bytes)).stored, stored);
      }
    });
  }

  it('may be in Windows-1252 instead of UTF-8', () => {
    const { columns } = read(decode(Buffer.from('date,°C\n2026-11-20T10:00:00Z,5\n', 'latin1'))).understanding;
    assert.equal(columns[1]?.name, '°C');
  });

  it('can be read in another way, by choice of the user', () => {
    const { understanding, stored } = read(['at,kept,other', ...minutes('1,2', '3,4')], {
      roles: { 1: 'text', 2: 'unused' },
    });
    assert.deepEqual([understanding.kind, Object.values(stored)], ['string', ['1', '3']]);
    const lines = ['one,two,value', '2026-11-20T10:00:00Z,2025-11-20T10:00:00Z,5'];
    assert.deepEqual(Object.keys(read(lines).stored), ['2026-11-20T10:00:00.000Z']);
    assert.deepEqual(Object.keys(read(lines, { roles: { 1: 'date' } }).stored), ['2025-11-20T10:00:00.000Z']);
  });
});

describe('any table of numbers and texts', () => {
  const separators = fc.constantFrom(',', ';', '\t', '|');
  const text = fc.string({
    unit: fc.constantFrom('x', 'ü', '"', ',', ';', '\t', ' ', '\n', '7'),
    minLength: 1,
    maxLength: 6,
  });
  const rows = fc.array(fc.tuple(fc.double({ min: -1e6, max: 1e6, noNaN: true }), text), {
    minLength: 3,
    maxLength: 12,
  });

  it('is read as it was written, with any separator, decimal mark and line end', () => {
    fc.assert(
      fc.property(
        rows,
        separators,
        fc.constantFrom('.', ','),
        fc.constantFrom('\n', '\r\n'),
        (some, separator, mark, end) => {
          // Texts that no gap, number or date could be, and that no blanks are trimmed from.
          const given = some.map(([number, cell]) => [Number(number.toFixed(2)), `x${cell}x`] as const);
          const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
          const lines = given.map(([number, cell], at) => {
            const written = number.toFixed(2).replace('.', mark);
            const date = new Date(NOW_MS - (given.length - at) * 60_000).toISOString();
            return [date, mark === separator ? quoted(written) : written, quoted(cell)].join(separator);
          });
          const { stored, understanding } = read([['date', 'number', 'text'].join(separator), ...lines].join(end), {
            gaps: { number: false },
          });
          assert.deepEqual(
            Object.values(stored),
            // Constant texts are left out, as they are no values.
            new Set(given.map(([, cell]) => cell)).size === 1
              ? given.map(([number]) => String(number + 0))
              : given.map(([number, cell]) => ({ number: number + 0, text: cell })),
          );
          assert.deepEqual([understanding.lines, understanding.leftOut], [given.length, []]);
        },
      ),
    );
  });
});
