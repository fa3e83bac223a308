import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decode } from '../../../console/src/csv/decode';
import { readTable } from '../../../console/src/csv/records';
import type { Choices, Role, Understanding } from '../../../console/src/csv/types';
import { batchFrom, understand } from '../../../console/src/csv/understand';

const NOW_MS = Date.UTC(2026, 10, 25, 12);
const AROUND = { zone: 'Europe/Amsterdam', nowMs: NOW_MS };

/** What a file becomes: what is shown of it, and the points by their dates in ISO 8601. */
function read(lines: readonly string[] | string, choices: Choices = {}) {
  const text = typeof lines === 'string' ? lines : lines.join('\n');
  const { understanding, points } = understand(readTable(text), choices, AROUND);
  const stored = Object.fromEntries(batchFrom(points, 0).map(({ ms, value }) => [new Date(ms).toISOString(), value]));
  return { understanding, stored };
}

const rolesOf = ({ columns }: Understanding): Role[] => columns.map(({ role }) => role);
const namesOf = ({ columns }: Understanding): string[] => columns.map(({ name }) => name);

/** The lines that are left out, by reason. */
const leftOut = ({ leftOut: all }: Understanding) =>
  Object.fromEntries(all.map(({ reason, examples }) => [reason, examples.map(({ line }) => line)]));

const minutes = (...values: readonly string[]) =>
  values.map((value, at) => `2026-11-20T10:${String(at).padStart(2, '0')}:00Z,${value}`);

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

  it('leave the kind to the rest of the whole file, however late they or a text come', () => {
    const many = Array.from({ length: 600 }, (_, at) => new Date(NOW_MS - (600 - at) * 60_000).toISOString());
    const fileWith = (cell: string) => ['date,value', ...many.map((date, at) => `${date},${at === 590 ? cell : at}`)];
    assert.equal(read(fileWith('')).understanding.kind, 'float');
    const { kind, columns } = read(fileWith('ERR')).understanding;
    assert.deepEqual([kind, columns[1]?.note], ['string', 'Most are numbers, but line 592 has “ERR”.']);
    const asNumbers = read(fileWith('ERR'), { roles: { 1: 'number' } }).understanding;
    assert.deepEqual([asNumbers.kind, asNumbers.points, leftOut(asNumbers)], ['float', 599, { kind: [592] }]);
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

  it('are one point if the last is to be kept', () => {
    const { understanding, stored } = read(twice, { sharing: 'last' });
    assert.deepEqual([understanding.points, understanding.used], [3, 4]);
    assert.equal(stored['2026-11-20T10:00:00.000Z'], '3');
  });

  it('are one point where one repeats the other word for word', () => {
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

  it('are all kept if the variables are to be no fields, or a variable comes twice', () => {
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

describe('numbers in a file', () => {
  it('with a decimal comma in cells separated by commas are mistakes, named by their lines', () => {
    const { understanding } = read([
      'date,value',
      '2026-11-20 10:00,21,5',
      '2026-11-20 10:01,22',
      '2026-11-20 10:02,21,6',
    ]);
    assert.deepEqual([leftOut(understanding), understanding.points], [{ cells: [2, 4] }, 1]);
    assert.equal(understanding.leftOut[0]?.examples[0]?.text, '3 cells, and there are 2 columns');
  });

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

  it('take the decimal mark of other columns where their own could be both', () => {
    const { stored } = read(['Datum;Druck;Temperatur', '20.11.2026 10:00;1.013;4,5', '20.11.2026 10:10;1.014;5,0']);
    assert.deepEqual(Object.values(stored), [
      { Druck: 1013, Temperatur: 4.5 },
      { Druck: 1014, Temperatur: 5 },
    ]);
  });

  it('stay as they are in a column of text, 007 among others', () => {
    const { stored } = read(['date,code,count', ...minutes('007,1', 'x9,2', '12,3')]);
    assert.deepEqual(Object.values(stored), [
      { code: '007', count: 1 },
      { code: 'x9', count: 2 },
      { code: '12', count: 3 },
    ]);
  });

  it('and texts become booleans as Python and Home Assistant write them, if that is what the column is', () => {
    assert.equal(read(['date,value', ...minutes('True', 'False', 'true')]).understanding.kind, 'boolean');
    assert.equal(read(['date,value', ...minutes('on', 'off')]).understanding.kind, 'string');
    const { stored, understanding } = read(['date,value', ...minutes('on', 'off', '?')], { roles: { 1: 'boolean' } });
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

  it('may be written as Windows writes what is no UTF-8', () => {
    const { columns } = read(decode(Buffer.from('date,°C\n2026-11-20T10:00:00Z,5\n', 'latin1'))).understanding;
    assert.equal(columns[1]?.name, '°C');
  });

  it('can be read in another way if a person says so', () => {
    const { understanding, stored } = read(['at,kept,other', ...minutes('1,2', '3,4')], {
      roles: { 1: 'text', 2: 'unused' },
    });
    assert.deepEqual([understanding.kind, Object.values(stored)], ['string', ['1', '3']]);
    const lines = ['one,two,value', '2026-11-20T10:00:00Z,2025-11-20T10:00:00Z,5'];
    assert.deepEqual(Object.keys(read(lines).stored), ['2026-11-20T10:00:00.000Z']);
    assert.deepEqual(Object.keys(read(lines, { roles: { 1: 'date' } }).stored), ['2025-11-20T10:00:00.000Z']);
  });

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
  it('are counted from the first of the file, whatever is between them', () => {
    const { understanding } = read('\n\ndate,value\n\n"2026-11-20T10:00:00Z","two\nlines"\n\r\n30.02.2026,x\nsoon,y\n');
    assert.deepEqual([understanding.namesAt, leftOut(understanding)], [3, { date: [8, 9] }]);
  });

  it('with a quotation mark that is never closed are named, and nothing of them is stored', () => {
    const { understanding, stored } = read(['date,value', ...minutes('a', '"b', 'c')]);
    assert.deepEqual([Object.values(stored), leftOut(understanding)], [['a'], { quote: [3] }]);
  });

  it('that are more than a day ahead, or before 1970, are left out until a person wants them', () => {
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
          const { stored, understanding } = read([['date', 'number', 'text'].join(separator), ...lines].join(end));
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

  it('stores each line or says why it does not, whatever the text', () => {
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
          if (found.order && !found.order.chosen) return;
          const out = found.leftOut.reduce((sum, { count }) => sum + count, 0);
          assert.equal(found.used + out, found.lines);
          assert.ok(found.points <= found.used);
        },
      ),
      { numRuns: 500 },
    );
  });
});
