import assert from 'node:assert/strict';
import { compileExpression } from '../../../src/language/expression';
import { readingIn, readingsOf } from '../../../src/language/measured-value';
import { resultsAt } from '../../../src/language/windows/window-results';
import { withValues } from '../../../src/notifications/delivery/expression-values';
import { Words } from '../../../src/platform/words/words';

const AT_A_FIRING = {
  last_triggered: 0,
  times_triggered: 1,
  last_sensor_data_value: '29.5',
  last_sensor_data_date: 1795229484.5,
  sensor_data_value: '31.2',
  sensor_data_date: 1795229544.125,
  current_time: 1795229544.8,
};

const reading = (dataType: string, timezone = 'UTC') => ({ dataType, timezone });

describe('an expression with its values', () => {
  const cases: [expression: string, fields: object, shown: string | null][] = [
    ['sensor_data_value > 30', {}, '31.2 > 30'],
    ['sensor_data_value>30 and last_sensor_data_value<=30', {}, '31.2>30 and 29.5<=30'],
    ['times_triggered == 0 && sensor_data_value > 3', {}, '0 == 0 && 31.2 > 3'],
    [
      'sensor_data_value == "sensor_data_value"',
      { sensor_data_value: 'sensor_data_value' },
      '"sensor_data_value" == "sensor_data_value"',
    ],
    ['sensor_data_value != "a \\" sensor_data_value"', {}, '31.2 != "a \\" sensor_data_value"'],
    ['sensor_data_value in ["a", "b"]', { sensor_data_value: 'b' }, '"b" in ["a", "b"]'],
    ['sensor_data_value.lux > 3', { sensor_data_value: '{"lux":4}' }, '4 > 3'],
    ['sensor_data_value . a.b', { sensor_data_value: '{"a":{"b":true}}' }, 'true'],
    [
      'length(sensor_data_value) > 3',
      { sensor_data_value: `["${'x'.repeat(99)}",1,2,3]` },
      `length(["${'x'.repeat(58)}…) > 3`,
    ],
    ['sensor_data_value.l[1].w > 3', { sensor_data_value: '{"l":[1,{"w":7}]}' }, '7 > 3'],
    ['sensor_data_value[ "a b" ] == null', { sensor_data_value: '{"a b":null}' }, 'sensor_data_value[ "a b" ] == null'],
    ['hour() == 2 and minute( ) == 52', {}, '2 == 2 and 52 == 52'],
    ['sensor_data_value > 40', {}, null],
    ['last_sensor_data_value > 3', { last_sensor_data_value: null }, null],
    ['sensor_data_value >', {}, null],
  ];
  for (const [expression, fields, shown] of cases) {
    it(`of ${expression} is ${shown === null ? 'none' : shown.slice(0, 40)}`, () => {
      assert.equal(withValues(expression, { ...AT_A_FIRING, ...fields }, reading('')), shown);
    });
  }

  it('shows the time in the time zone of the trigger, in which the expression must be true', () => {
    assert.equal(withValues('hour() == 8', AT_A_FIRING, reading('', 'Asia/Kolkata')), '8 == 8');
    assert.equal(withValues('hour() == 8', AT_A_FIRING, reading('')), null);
  });

  it('has the results of windows, and no values within their calls', () => {
    const expression =
      'avg_over_time( sensor_data_value, 60)>30 and delta(sensor_data_value, 9) < 1 + sensor_data_value';
    const compiled = compileExpression(expression);
    assert.ok(compiled.ok);
    const results = { avg_over_time: 30.5, delta: -2 };
    const pointWindows = { valueOf: ({ name }: { name: string }) => results[name as keyof typeof results] };
    const windows = resultsAt(compiled.expression.windows, pointWindows, 0);
    assert.equal(withValues(expression, AT_A_FIRING, { ...reading('float'), windows }), '30.5>30 and -2 < 1 + 31.2');
    assert.equal(withValues(expression, AT_A_FIRING, reading('float')), null);
    results.avg_over_time = 20;
    const others = resultsAt(compiled.expression.windows, pointWindows, 0);
    assert.equal(withValues(expression, AT_A_FIRING, { ...reading('float'), windows: others }), null);
  });

  it('leaves the call of a window that is not known, and that did not matter', () => {
    const expression = 'sensor_data_value > 30 or rate(sensor_data_value["a)"], 9) > 1';
    assert.equal(
      withValues(expression, AT_A_FIRING, reading('float')),
      '31.2 > 30 or rate(sensor_data_value["a)"], 9) > 1',
    );
  });

  it('takes numbers of a sensor of the type string for texts', () => {
    assert.equal(withValues('sensor_data_value == "31.2"', AT_A_FIRING, reading('string')), '"31.2" == "31.2"');
    assert.equal(withValues('sensor_data_value > 30', AT_A_FIRING, reading('string')), null);
  });
});

describe('a value with its unit', () => {
  const cases: [value: string, displayName: string, dataStructure: unknown, shown: string][] = [
    ['31.2', '', '', '31.2'],
    ['31.2', 'Temperature (°C)', '', '31.2 °C'],
    ['31.2', 'Light [ lux ] ', '', '31.2 lux'],
    ['31.2', 'Light (west) [lux]', '', '31.2 lux'],
    ['31.2', 'Temperature (of the water in the basin)', '', '31.2'],
    ['31.2', 'Temperature (°C)', { unit: 'K' }, '31.2 K'],
    ['31.2', '', { unit: 'string', value: 'float' }, '31.2'],
    ['31.2', '', { unit: 7 }, '31.2'],
    ['31.2', '', 'no JSON', '31.2'],
    ['open', '', '[1]', 'open'],
    [
      '{"c":31.2,"door":"open"}',
      'Both (°C)',
      { c: { type: 'float', unit: '°C' }, door: 'string' },
      'c 31.2 °C, door open',
    ],
    ['open', 'Door (west)', '', 'open'],
    ['{"lux":4,"a":{"b":1}}', '', { lux: 'Integer [lx]' }, 'lux 4 lx, a.b 1'],
    [
      '{"soil":{"moisture":40.5,"state":"wet"},"empty":{}}',
      '',
      { soil: { moisture: { type: 'float', unit: '%' }, state: { unit: '%' } } },
      'soil.moisture 40.5 %, soil.state wet, empty {}',
    ],
    ['{"a":{"b":{"c":{"d":{"e":{"f":1}}}}}}', '', '', 'a.b.c.d.e {"f":1}'],
    ['{"constructor":1,"__proto__":2}', '', { lux: 'Integer' }, 'constructor 1, __proto__ 2'],
    ['{broken', '', '', '{broken'],
  ];
  for (const [value, displayName, structure, shown] of cases) {
    const dataStructure = typeof structure === 'string' ? structure : JSON.stringify(structure);
    it(`is "${shown}" for ${value} with "${displayName}" and ${dataStructure || 'no structure'}`, () => {
      assert.equal(readingIn(value, { displayName, dataStructure }, Words.english), shown);
    });
  }

  it('has the units of the sensor before those of its structure', () => {
    const structure = JSON.stringify({ unit: 'K', soil: { unit: 'K' } });
    const sensor = {
      displayName: 'Temperature (F)',
      dataStructure: structure,
      unit: '°C',
      fieldUnits: '{"soil.wet":"%"}',
    };
    assert.equal(readingIn('21', sensor, Words.english), '21 °C');
    assert.equal(
      readingIn('{"soil":{"wet":40},"constructor":1}', sensor, Words.english),
      'soil.wet 40 %, constructor 1',
    );
  });

  it('has the decimal mark of the language, but not as a text', () => {
    const german = Words.in('de');
    const sensor = { displayName: '', dataStructure: '', unit: '°C' };
    assert.equal(readingIn('-18.50', sensor, german), '−18,50 °C');
    assert.equal(readingIn('{"a":1.5,"b":"1.5"}', sensor, german), 'a 1,5, b 1.5');
    assert.equal(readingIn('1.20', { ...sensor, unit: '', dataType: 'string' }, german), '1.20');
  });

  it('is a word for true or false if the unit names both', () => {
    const door = { displayName: '', dataStructure: '', unit: 'closed / open', fieldUnits: '{"gate":"shut/open"}' };
    assert.equal(readingIn('true', door, Words.english), 'open');
    assert.equal(readingIn('false', door, Words.english), 'closed');
    assert.equal(readingIn('{"gate":false,"lid":true}', door, Words.english), 'gate shut, lid true');
    assert.equal(readingIn('true', { ...door, unit: 'km/h/s' }, Words.english), 'true');
    assert.equal(readingIn('90', { ...door, unit: 'km/h' }, Words.english), '90 km/h');
  });

  it('is cut where it is long, and after twenty fields', () => {
    const sensor = { displayName: '', dataStructure: '' };
    assert.equal(readingIn('x'.repeat(60_000), sensor, Words.english).length, 501);
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${index}`, index])));
    assert.equal(readingsOf(many, sensor, Words.english).length, 21);
    assert.match(readingIn(many, sensor, Words.english), /f19 19, … 50 fields in all$/);
  });
});
