// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of users have that, too
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { renderText, roomOfEach, Sample, textProblem } from '../../../src/language/notification-text';
import { assertLinear, leastMs } from '../../support/growth';

describe('the dates in a text', () => {
  it('make the format of a zone once, however it is spelled', () => {
    const made: unknown[] = [];
    const { DateTimeFormat } = Intl;
    Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
      construct: (target, args) => {
        made.push(args);
        return Reflect.construct(target, args);
      },
    });
    try {
      const dates = '{{date(at, "Africa/Kigali")}} {{date(at, "AFRICA/kigali")}}'.repeat(115);
      assert.match(renderText(dates, { at: '1700000000' }), /^2023-11-15 00:13:20 \+02:00 2023/);
    } finally {
      Intl.DateTimeFormat = DateTimeFormat;
    }
    assert.ok(made.length <= 2, `${made.length} formats`);
  });
});

describe('renderText', () => {
  const values = {
    sensor_data_value: '21.5',
    times_triggered: 3,
    sensor_name: 'hall {times_triggered}',
    gone: null,
    on: true,
    unit: '°C',
  };

  const cases: [string, string][] = [
    ['value sensor_data_value!', 'value 21.5!'],
    ['$sensor_data_value ${sensor_data_value} {sensor_data_value} {{sensor_data_value}}', '21.5 21.5 21.5 21.5'],
    ['{{ sensor_data_value }} {{\nsensor_data_value}} { sensor_data_value }', '21.5 21.5 { 21.5 }'],
    [
      'last_sensor_data_value sensor_data_values xsensor_data_value',
      'last_sensor_data_value sensor_data_values xsensor_data_value',
    ],
    ['ésensor_data_value', 'ésensor_data_value'],
    ['[gone] [${gone}]', '[] []'],
    ['on and on', 'true and true'],
    ['sensor_name', 'hall {times_triggered}'],
    ['{unknown} ${unknown} $unknown {{unknown}} costs $5', '{unknown} ${unknown} $unknown {{unknown}} costs $5'],
    ['{{times_triggered} $$times_triggered {times_triggered', '{3 $3 {3'],
    ['constructor __proto__ toString', 'constructor __proto__ toString'],
    ['unit {unit}, $unit and {{unit}}: a unit of units', 'unit °C, °C and °C: a unit of units'],
    ['', ''],
  ];
  for (const [text, expected] of cases) {
    it(`makes "${expected}" of "${text}"`, () => assert.equal(renderText(text, values), expected));
  }

  const called: [string, string][] = [
    ['{{round(noise, 1)}} °C', '31.2 °C'],
    ['{{round(noise)}} {{ round( noise , 3 ) }}', '31 31.200'],
    ['{{round(half, 2)}} {{round(minus, 1)}}', '1.01 -2.5'],
    ['{{round(words, 1)}}', 'n/a'],
    ['{{date(at)}}', '2026-11-25 18:00:00 UTC'],
    [
      '{{date(at, "Europe/Berlin")}} {{date(at,"Asia/Kolkata")}}',
      '2026-11-25 19:00:00 +01:00 2026-11-25 23:30:00 +05:30',
    ],
    ['{{date(at, "Nowhere/Land")}}', '1795629600.5'],
    ['{{round(unknown, 1)}} {{sqrt(noise)}}', '{{round(unknown, 1)}} {{sqrt(31.200000762939453)}}'],
  ];
  for (const [text, expected] of called) {
    it(`makes "${expected}" of "${text}"`, () => {
      const given = { noise: '31.200000762939453', half: 1.005, minus: '-2.45', words: 'n/a', at: 1_795_629_600.5 };
      assert.equal(renderText(text, given), expected);
    });
  }

  it('names arguments that a function does not take', () => {
    assert.equal(textProblem('{{round(x, 2)}} {{date(y, "Europe/Berlin")}} {{date(y)}} {{other(x, 99)}}'), undefined);
    assert.match(textProblem('a {{round(x, 16)}}') ?? '', /0 to 15/);
    assert.match(textProblem('{{date(y, "Mars")}}') ?? '', /time zone/);
    assert.match(textProblem('{{date(y, 3)}}') ?? '', /time zone/);
  });

  const fields: [string, string][] = [
    ['It is $sensor_data_value.temperature °C', 'It is 31.2 °C'],
    [
      '${sensor_data_value.temperature} {sensor_data_value.temperature} {{sensor_data_value.temperature}} sensor_data_value.temperature',
      '31.2 31.2 31.2 31.2',
    ],
    ['from $last_sensor_data_value.temperature.', 'from 29.5.'],
    ['$sensor_data_value.temperature. Then $sensor_data_value.temperature.', '31.2. Then 31.2.'],
    ['It is sensor_data_value...', `It is ${'{"temperature":31.2,"outer":{"x-axis":1,"code":"007"},"none":null}'}...`],
    ['$sensor_data_value.outer.x_axis and {{sensor_data_value.outer.code}}', '1 and 007'],
    ['$sensor_data_value.outer', '{"x-axis":1,"code":"007"}'],
    ['[$sensor_data_value.humidity] [{{sensor_data_value.temperature.deeper}}] [$sensor_data_value.none]', '[] [] []'],
    ['[$sensor_data_value.constructor] [$sensor_data_value.__proto__]', '[] []'],
    ['$sensor_name.temperature', 'hall.temperature'],
    ['example.sensor_name.org', 'example.hall.org'],
    ['my_sensor_data_value.temperature', 'my_sensor_data_value.temperature'],
  ];
  const quoted: [string, string][] = [
    ['It is $sensor_data_value["a-b"] °C', 'It is 1.26 °C'],
    [
      '${sensor_data_value["a-b"]} {sensor_data_value["a-b"]} {{sensor_data_value["a-b"]}} sensor_data_value[ "a-b" ]',
      '1.26 1.26 1.26 1.26',
    ],
    ['{{sensor_data_value["x y"].c_d}} $sensor_data_value["x y"]["c-d"].', '7 7.'],
    ['$sensor_data_value["1.8.0"].kWh, $last_sensor_data_value.deep["x-axis"]', '5, -2'],
    ['{{round(sensor_data_value["a-b"], 1)}} {{round(sensor_data_value["1.8.0"].kWh)}}', '1.3 5'],
    ['$sensor_data_value["say \\"hi\\""] $sensor_data_value["back\\\\slash"]', 'quote slash'],
    ['$sensor_data_value["{}\n]"]', 'odd'],
    ['[$sensor_data_value["nothing"]] [{{sensor_data_value["a-b"].c}}] [$sensor_data_value["a b"]]', '[] [] []'],
    ['$sensor_data_value["p-q"] $sensor_data_value["p_q"] [$sensor_data_value.p_q]', '8 9 []'],
    ['[$sensor_data_value["__proto__"]] [$sensor_data_value["constructor"]]', '[] []'],
    ['sensor_name["a-b"] my_sensor_data_value["a-b"]', 'hall["a-b"] my_sensor_data_value["a-b"]'],
    [
      '$last_sensor_data_value["a-b] and $last_sensor_data_value[x]',
      '{"deep":{"x-axis":-2}}["a-b] and {"deep":{"x-axis":-2}}[x]',
    ],
  ];
  const items: [string, string][] = [
    ['$sensor_data_value.meters[0].power W', '25 W'],
    ['${sensor_data_value.meters[1]} {{sensor_data_value["meters"][ 1 ].power}}', '{"power":4} 4'],
    ['{{round(sensor_data_value.meters[0].power, 1)}}', '25.0'],
    ['$last_sensor_data_value[0], $last_sensor_data_value[1][0].', '52.4, x.'],
    ['[$sensor_data_value.meters[2].power] [$sensor_data_value[0]] [$sensor_data_value.meters.0]', '[] [] []'],
    [
      '$last_sensor_data_value [0] sensor_name[0] $last_sensor_data_value[-1]',
      '[52.4,["x"]] [0] hall[0] [52.4,["x"]][-1]',
    ],
  ];
  for (const [text, expected] of items) {
    it(`makes "${expected}" of "${text}"`, () => {
      const lists = {
        sensor_data_value: '{"meters":[{"power":25},{"power":4}]}',
        last_sensor_data_value: '[52.4,["x"]]',
        sensor_name: 'hall',
      };
      assert.equal(renderText(text, lists), expected);
    });
  }
  const named = {
    sensor_data_value: JSON.stringify({
      ...{ 'a-b': 1.26, 'x y': { 'c-d': 7 }, '1.8.0': { kWh: 5 }, 'say "hi"': 'quote', 'back\\slash': 'slash' },
      ...{ '{}\n]': 'odd', 'p-q': 8, p_q: 9 },
    }),
    last_sensor_data_value: '{"deep":{"x-axis":-2}}',
    sensor_name: 'hall',
  };
  for (const [text, expected] of quoted) {
    it(`makes "${expected}" of "${text}", with names in quotes`, () => assert.equal(renderText(text, named), expected));
  }

  it('shows a sample for a field in quotes', () => {
    const sample = { sensor_data_value: new Sample('{"a-b":2}') };
    assert.equal(renderText('$sensor_data_value["a-b"]', sample), '2 (sample)');
    assert.equal(renderText('$sensor_data_value["c"]', { sensor_data_value: '21.5' }), '');
    assert.equal(renderText('$sensor_data_value["c"]', { event: 'x' }), '$sensor_data_value["c"]');
  });

  const json = {
    sensor_data_value: '{"temperature":31.2,"outer":{"x-axis":1,"code":"007"},"none":null}',
    last_sensor_data_value: '{"temperature":29.5}',
    sensor_name: 'hall',
  };
  for (const [text, expected] of fields) {
    it(`makes "${expected}" of "${text}", with a JSON value`, () => assert.equal(renderText(text, json), expected));
  }

  it('has no fields in a value that is not JSON, and in none at all', () => {
    for (const value of ['21.5', '{not JSON', '[1]', null, undefined]) {
      assert.equal(renderText('[$sensor_data_value.a]', { sensor_data_value: value }), '[]');
    }
    assert.equal(renderText('$sensor_data_value.a.', { sensor_data_value: '21.5' }), '.');
    assert.equal(renderText('$sensor_data_value.a', { event: 'add_sensor' }), '$sensor_data_value.a');
  });

  it('shows a sample for every field', () => {
    const render = (value: string) =>
      renderText('$sensor_data_value, {{sensor_data_value.on}}', { sensor_data_value: new Sample(value) });
    assert.equal(render('21.5'), '21.5 (sample), 21.5 (sample)');
    assert.equal(render('{"on":true}'), '{"on":true} (sample), true (sample)');
    assert.equal(render('sample'), 'sample, 21.5 (sample)');
  });

  it('takes little time for many fields of a large value', () => {
    const large = Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`a-${index}`, index]));
    const values = { sensor_data_value: JSON.stringify({ large }) };
    const render = (count: number) => renderText('$sensor_data_value.large.none '.repeat(count), values);
    const [one, many] = [leastMs(() => render(1)), leastMs(() => render(300))];
    assert.ok(many <= 30 * Math.max(one, 1), `one field took ${one} ms, 300 took ${many} ms`);
    renderText('$sensor_data_value.large '.repeat(300), values);
  }).retries(2);

  it('leaves text without known names unchanged', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => assert.equal(renderText(text, {}), text)));
  });

  it('inserts values that look like patterns literally', () => {
    assert.equal(renderText('a $x b', { x: '$& $1 $$' }), 'a $& $1 $$ b');
  });

  it('takes time proportional to the text', () => {
    const parts = [
      '{',
      '${',
      '{{a',
      '{{ ',
      '{{ a ',
      '${sensor',
      'a',
      '$',
      '.a',
      'sensor_data_value.',
      '{{sensor_data_value.a',
    ];
    const quoted = [
      'sensor_data_value["',
      '{{sensor_data_value["\\"',
      '["a"]',
      '{{round(sensor_data_value["a"]',
      '["\\\\',
    ];
    for (const part of [...parts, ...quoted]) {
      const render = (count: number) => {
        renderText(part.repeat(count), values);
        renderText(`sensor_data_value${part.repeat(count)}`, values);
      };
      assertLinear(40_000, render, part);
    }
  });

  it('truncates inserted values to 65,536 characters without splitting a character', () => {
    const text = renderText('sensor_data_value sensor_data_value end', { sensor_data_value: '😀'.repeat(20_000) });
    assert.equal(text.length, 65_536 + ' '.length + ' end'.length);
    assert.ok(text.endsWith('😀 end'));
    assert.equal(renderText('a', { a: `x${'😀'.repeat(40_000)}` }).length, 65_535);
  });

  it('truncates them to less when a user gets many texts together, but never below 1,000 characters', () => {
    assert.deepEqual([1, 64, 128, 6_000].map(roomOfEach), [65_536, 65_536, 32_768, 1_000]);
    assert.equal(renderText('$a', { a: 'x'.repeat(2_000) }, roomOfEach(6_000)).length, 1_000);
  });
});
