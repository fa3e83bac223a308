import assert from 'node:assert/strict';
import { openDecoder } from '../../../../../src/gateways/protocols/mqtt';
import { payloadOf } from '../../../../../src/gateways/protocols/mqtt/payload';
import { readValueTemplate } from '../../../../../src/gateways/protocols/mqtt/value-template';
import { UnreadableMessage } from '../../../../../src/gateways/protocols/unreadable';

const TEMPERATURE = {
  name: 'Temperature',
  unique_id: 'ea334450945afc_t',
  device_class: 'temperature',
  state_topic: 'bedroom/state',
  unit_of_measurement: '°C',
  value_template: '{{ value_json.temperature }}',
  device: { identifiers: ['ea334450945afc'], name: 'Bedroom', manufacturer: 'Bla', model: 'xya' },
};

function discovering() {
  const decoder = openDecoder('homeassistant');
  const decode = (topic: string, payload: string | object) => {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    return decoder.decode({ topic, payload: Buffer.from(text) });
  };
  const values = (topic: string, payload: string | object) =>
    decode(topic, payload).points.map(({ series, value }) => `${series.name} ${series.dataType} ${value}`);
  return { decoder, decode, values };
}

describe('the decoder homeassistant', () => {
  it('names sensors as their configuration does', () => {
    const { decoder, decode } = discovering();
    assert.deepEqual(decode('bedroom/state', { temperature: 21.5 }), { points: [] }, 'not known yet');
    const config = ['homeassistant/sensor/bedroom/t/config', TEMPERATURE] as const;
    const { points, described = [] } = decode(...config);
    assert.deepEqual([points, described.map(({ topic }) => topic)], [[], [config[0]]]);
    assert.deepEqual(decode(...config), { points: [] }, 'nothing new');
    assert.deepEqual(decoder.named(), ['bedroom/state']);
    const expected = {
      series: {
        namespace: 'mqtt',
        name: 'homeassistant/sensor/ea334450945afc_t',
        title: 'Bedroom Temperature',
        source: 'homeassistant',
        dataType: 'float',
        tags: { device: 'Bedroom', device_class: 'temperature', model: 'xya', manufacturer: 'Bla' },
        units: { value: '°C' },
      },
      value: '21.5',
      dateMs: undefined,
    };
    assert.deepEqual(decode('bedroom/state', { temperature: 21.5 }), { points: [expected] });
    const other = openDecoder('homeassistant');
    other.restore(described);
    const message = { topic: 'bedroom/state', payload: Buffer.from('{"temperature":21.5}') };
    assert.deepEqual(other.decode(message), { points: [expected] });
    decode(config[0], '');
    assert.deepEqual(decoder.named(), []);
  });

  it('reads abbreviations, the base topic and configurations of whole devices', () => {
    const { decoder, values, decode } = discovering();
    const short = { '~': 'plug', stat_t: '~/power', uniq_id: 'p', unit_of_meas: 'W', dev: { name: 'Plug', mdl: 'X' } };
    decode('homeassistant/sensor/p/config', short);
    assert.deepEqual(values('plug/power', '12.30'), ['homeassistant/sensor/p float 12.30']);
    decode('homeassistant/device/kitchen/config', {
      dev: { ids: 'k', name: 'Kitchen' },
      o: { name: 'bla2mqtt' },
      cmps: {
        one: { p: 'sensor', unit_of_measurement: '°C', value_template: "{{ value_json['t'] }}", unique_id: 'k_t' },
        two: {
          p: 'binary_sensor',
          value_template: '{{ value_json.open }}',
          unique_id: 'k_o',
          pl_on: true,
          pl_off: false,
        },
        three: { p: 'switch', command_topic: 'kitchen/set', unique_id: 'k_s' },
      },
      state_topic: 'kitchen/state',
    });
    assert.deepEqual(values('kitchen/state', { t: 20, open: true }), [
      'homeassistant/sensor/k_t float 20',
      'homeassistant/binary_sensor/k_o boolean true',
    ]);
    assert.deepEqual(values('kitchen/state', { open: false }), ['homeassistant/binary_sensor/k_o boolean false']);
    assert.deepEqual(decoder.named(), ['plug/power', 'kitchen/state']);
  });

  it('stores no states that say that there is no value', () => {
    const { decode, values } = discovering();
    decode('homeassistant/sensor/a/config', { stat_t: 'a', unit_of_meas: 'V' });
    decode('homeassistant/sensor/b/config', { stat_t: 'b' });
    decode('homeassistant/binary_sensor/c/config', { stat_t: 'c' });
    for (const nothing of ['', 'unknown', 'unavailable', 'None', 'warm']) assert.deepEqual(values('a', nothing), []);
    assert.deepEqual(values('b', 'warm'), ['homeassistant/sensor/b string warm']);
    assert.deepEqual(values('b', 'unavailable'), []);
    assert.deepEqual(values('b', '{"x":1}'), ['homeassistant/sensor/b json {"x":1}']);
    assert.deepEqual(values('c', 'ON'), ['homeassistant/binary_sensor/c boolean true']);
    assert.deepEqual(values('c', 'maybe'), []);
  });

  it('stores nothing of an object where a template is not understood, other states as they are, and names it', () => {
    const { decode } = discovering();
    const template = '{{ states("sensor.other") }}';
    const { unit_of_measurement: _, ...config } = TEMPERATURE;
    decode('homeassistant/sensor/a/config', { ...config, value_template: template });
    const whole = decode('bedroom/state', { x: 215 });
    assert.deepEqual(whole.points, []);
    assert.match(whole.note ?? '', /template of Bedroom Temperature is not supported, nothing is stored$/);
    const plain = decode('bedroom/state', '21.5');
    assert.equal(plain.points[0]?.value, '21.5');
    assert.match(plain.note ?? '', /template of Bedroom Temperature is not supported, states are stored as they are$/);
  });

  it('reads states of topics that are filters', () => {
    const { decoder, decode, values } = discovering();
    const topic = '+/+/RTL_433toMQTT/LaCrosse-TX141THBv2/0/102';
    const config = { stat_t: topic, uniq_id: 'LaCrosse-102-t', val_tpl: '{{ value_json.temperature_C | is_defined }}' };
    decode('homeassistant/sensor/LaCrosse/t/config', config);
    assert.deepEqual(decoder.named(), [topic]);
    const state = { temperature_C: 21.5 };
    const name = 'homeassistant/sensor/LaCrosse-102-t';
    assert.deepEqual(values('home/OMG/RTL_433toMQTT/LaCrosse-TX141THBv2/0/102', state), [`${name} float 21.5`]);
    assert.deepEqual(values('home/OMG/RTL_433toMQTT/LaCrosse-TX141THBv2/0/103', state), []);
    decode('homeassistant/sensor/LaCrosse/t/config', '');
    assert.deepEqual(values('home/OMG/RTL_433toMQTT/LaCrosse-TX141THBv2/0/102', state), []);
    assert.deepEqual(decoder.named(), []);
    const notes = Array.from({ length: 101 }, (__, index) => {
      return decode(`homeassistant/sensor/wild/${index}/config`, { stat_t: `wild/+/${index}` }).note;
    });
    assert.deepEqual(notes.slice(0, 100), Array(100).fill(undefined));
    assert.match(notes[100] ?? '', /left out: too many topics of states have wildcards/);
  });

  it('names the sensors that it leaves out, and removes those that are gone', () => {
    const { decode, values } = discovering();
    const noteOf = (config: object) => decode('homeassistant/sensor/a/config', config).note;
    assert.equal(
      noteOf({ name: 'Meter', stat_t: 'a/#/b' }),
      'Meter is left out: its state_topic may have # only as its last level',
    );
    assert.equal(noteOf({ name: 'Meter' }), 'Meter is left out: it has no state_topic');
    const all = {
      dev: { ids: ['d'], name: 'Boiler' },
      stat_t: 's',
      cmps: {
        gone: { p: 'sensor' },
        t: { p: 'sensor', uniq_id: 't' },
        b: { p: 'button' },
        bad: { p: 'sensor', stat_t: '+a' },
      },
    };
    const { note } = decode('homeassistant/device/d/config', all);
    assert.equal(note, 'Boiler d/bad is left out: its state_topic may have + only as a whole level');
    assert.deepEqual(values('s', '5'), ['homeassistant/sensor/t float 5']);
    const gone = { ...all, cmps: { ...all.cmps, t: { p: 'sensor' }, bad: { p: 'sensor' } } };
    assert.equal(decode('homeassistant/device/d/config', gone).note, undefined);
    assert.deepEqual(values('s', '5'), []);
  });

  it('does not mix sensors of devices that have the same unique_id, and names the one that it leaves out', () => {
    const { decode, values } = discovering();
    const config = (mac: string) => ({
      ...{ name: 'T', uniq_id: 'ESPsensortemperature', stat_t: `${mac}/t`, dev: { ids: mac, name: mac } },
    });
    assert.equal(decode('homeassistant/sensor/one/t/config', config('one')).note, undefined);
    assert.match(
      decode('homeassistant/sensor/two/t/config', config('two')).note ?? '',
      /^two T is left out: another device has a sensor with its unique_id ESPsensortemperature$/,
    );
    assert.deepEqual([values('one/t', '1').length, values('two/t', '2').length], [1, 0]);
    // The same device under another topic is itself.
    assert.equal(
      decode('homeassistant/sensor/renamed/t/config', { ...config('one'), stat_t: 'renamed/t' }).note,
      undefined,
    );
    assert.deepEqual(values('renamed/t', '3'), ['homeassistant/sensor/ESPsensortemperature float 3']);
  });

  it('keeps little of large configurations', () => {
    const { decoder, decode } = discovering();
    const long = 'x'.repeat(5_000);
    const device = { name: long, model: long };
    let [kept, notes] = [0, 0];
    for (let index = 0; index < 1_100; index += 1) {
      const config = {
        stat_t: `t/${index}`,
        uniq_id: long,
        name: long,
        val_tpl: `{{ value_json.${long} }}`,
        dev: device,
      };
      const { described = [], note } = decode(`homeassistant/sensor/${index}/config`, config);
      kept += described.reduce((sum, { content }) => sum + (content ?? '').length, 0);
      if (note?.includes('too large')) notes += 1;
    }
    assert.ok(kept > 400_000 && kept < 600_000, `${kept}`);
    assert.equal(notes, 1_100 - decoder.named().length);
    assert.throws(() => decode(`homeassistant/sensor/${long}/config`, { stat_t: 'a' }), /topic that is too long/);
    const cmps = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [index, { p: 'sensor', stat_t: 'a' }]));
    assert.throws(() => decode('homeassistant/device/x/config', { cmps }), /more than 1000 components/);
    const few = discovering();
    for (let index = 0; index < 1_001; index += 1) few.decode(`homeassistant/sensor/${index}/config`, { stat_t: 'a' });
    assert.equal(few.decode('a', '1').points.length, 100);
  });

  it('reads a message once, for as many sensors as its size allows, and says which number is left out', () => {
    const { decode } = discovering();
    const cmps = Object.fromEntries(
      Array.from({ length: 150 }, (_, index) => [
        `c${index}`,
        { p: 'sensor', stat_t: 's', val_tpl: '{{ value_json.x }}', uniq_id: `u${index}` },
      ]),
    );
    decode('homeassistant/device/x/config', { cmps });
    const small = decode('s', { x: 1 });
    assert.equal(small.points.length, 100);
    assert.match(small.note ?? '', /^50 of its sensors are left out/);
    const parse = JSON.parse;
    let parsed = 0;
    JSON.parse = (...given: Parameters<typeof parse>) => {
      parsed += 1;
      return parse(...given);
    };
    try {
      const large = decode('s', { x: 1, y: 'y'.repeat(500_000) });
      assert.equal(large.points.length, 2);
      assert.match(large.note ?? '', /^148 of its sensors are left out/);
      assert.equal(parsed, 1);
    } finally {
      JSON.parse = parse;
    }
  });

  it('ignores other topics, and refuses configurations that are none', () => {
    const { decode } = discovering();
    for (const topic of ['homeassistant/status', 'homeassistant/switch/a/config', 'config', 'sensor/config']) {
      assert.deepEqual(decode(topic, 'online'), { points: [] }, topic);
    }
    for (const bad of ['{', '[1]', '5']) {
      assert.throws(() => decode('homeassistant/sensor/a/config', bad), UnreadableMessage);
    }
  });
});

describe('value templates', () => {
  it('are read in the common forms', () => {
    const cases: [string, string, unknown][] = [
      ['{{ value }}', '21.5', '21.5'],
      ['{{value_json.temperature}}', '{"temperature":21.5}', 21.5],
      ["{{ value_json['AM2301'].Temperature }}", '{"AM2301":{"Temperature":4.7}}', 4.7],
      ['{{ value_json["a b"][1].c }}', '{"a b":[1,{"c":2}]}', 2],
      ['{{ value_json.x | round(1) }}', '{"x":21.26}', 21.3],
      ['{{ value_json.x | float | round }}', '{"x":"21.6"}', 22],
      ['{{ value | int }}', '21.6', 21],
      ['{{- value_json.x | is_defined -}}', '{"x":0}', 0],
      ['{{ value_json.x }}', '{"y":0}', undefined],
      ['{{ value_json.x }}', 'no JSON', undefined],
      ['{{ value_json.constructor }}', '{}', undefined],
      ['{{ value_json.x | float }}', '{"x":"warm"}', undefined],
      ["{{value_json['t'] if value_json['t'] is defined else 0}}", '{"t":4}', 4],
      ["{{value_json['t'] if value_json['t'] is defined else 0}}", '{}', 0],
      ['{{ value_json.x if value_json.x is not defined }}', '{"x":1}', undefined],
      ['{{ (value_json.raw | float / 10) | round(1) }}', '{"raw":"215"}', 21.5],
      ['{{ value_json.x | round(2, default=0) }}', '{"x":"warm"}', 0],
      ['{{ value_json.x | round(2, default=0) }}', '{"x":1.239}', 1.24],
      ['{{ value_json.x | round(precision=1, method="floor") }}', '{"x":1.29}', 1.2],
      ['{{ value_json.x | default(7) }}', '{}', 7],
      ['{{ value_json.x | default("a", true) }}', '{"x":""}', 'a'],
      ['{{ value_json.x | float(0) }}', '{"x":"warm"}', 0],
      ['{{ float(value_json.x, 0) + 1 }}', '{"x":"2"}', 3],
      ['{{ 2 + 3 * 4 - 6 / 2 }}', '', 11],
      ['{{ -value_json.x * 2 }}', '{"x":3}', -6],
      ['{{ value_json.x / 0 }}', '{"x":3}', undefined],
      ['{{ value_json.x * 2 }}', '{"x":"3"}', undefined],
      ['{{ "ON" if value_json.a.b == 1 else "OFF" }}', '{"a":{"b":1}}', 'ON'],
      ['{{ "ON" if value_json.x > 5 and not value_json.y else "OFF" }}', '{"x":6,"y":false}', 'ON'],
      ['{{ value_json.x or 5 }}', '{"x":0}', 5],
      ['{{ True if value == "on" else False }}', 'on', true],
      ['{{ None }}', '', null],
    ];
    for (const [template, payload, expected] of cases) {
      assert.deepEqual(readValueTemplate(template)?.(payloadOf(payload)), expected, template);
    }
  });

  it('are undefined in all others', () => {
    for (const template of [
      ...['', '{{ }}', '{{ states("a") }}', '{{ value_json.x * }}', '{% if x %}a{% endif %}', '{{ value_json5 }}'],
      ...['{{ value_json.x | unknown }}', '{{ value }} °C', '{{ value_json[x] }}', '{{ value_json. }}'],
      ...['{{ value_json.x | round(1, 2, 3, 4) }}', '{{ value | round(wrong=1) }}', '{{ (value }}', '{{ value if }}'],
      ...[`{{ ${'('.repeat(200)}1${')'.repeat(200)} }}`, `{{ ${'-'.repeat(500)}1 }}`, `{{ 1${' + 1'.repeat(200)} }}`],
      `{{ value_json${'.x'.repeat(1_000)} }}`,
    ]) {
      assert.equal(readValueTemplate(template), undefined, template);
    }
  });
});
