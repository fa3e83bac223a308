import assert from 'node:assert/strict';
import { openDecoder } from '../../../../../src/gateways/protocols/mqtt';
import { decodeJson } from '../../../../../src/gateways/protocols/mqtt/json';

describe('numbers of many digits in MQTT messages of JSON', () => {
  const storedOf = (payload: string) => decodeJson({ topic: 'a', payload: Buffer.from(payload) })[0]?.value;

  for (const [payload, value] of [
    ['9007199254740993', '9007199254740993'],
    ['{"value":8121069193333309404}', '8121069193333309404'],
    ['{"value":9007199254740993,"date":1795229544}', '9007199254740993'],
    ['{"n":8121069193333309404,"o":[9007199254740993]}', '{"n":8121069193333309404,"o":[9007199254740993]}'],
  ] as const) {
    it(`are stored as sent: ${payload}`, () => assert.equal(storedOf(payload), value));
  }
});

describe('a date with many decimals in an MQTT message of JSON', () => {
  it('is that of the point, and no field', () => {
    const payload = Buffer.from('{"n":1,"date":1795229544.123456789}');
    const [point] = decodeJson({ topic: 'a', payload });
    assert.deepEqual([point?.value, point?.dateMs], ['{"n":1}', 1_795_229_544_123]);
  });
});

describe('numbers of many digits in the states of discovery', () => {
  const storedOf = (template: string | undefined, payload: string, component = 'sensor', more: object = {}) => {
    const decoder = openDecoder('homeassistant');
    const decode = (topic: string, text: string) => decoder.decode({ topic, payload: Buffer.from(text) });
    const config = { stat_t: 's', ...(template && { val_tpl: template }), ...more };
    decode(`homeassistant/${component}/a/config`, JSON.stringify(config));
    return decode('s', payload).points[0]?.value;
  };

  for (const [template, payload, value] of [
    ['{{ value_json.n }}', '{"n":9007199254740993}', '9007199254740993'],
    ['{{ value_json.n | int }}', '{"n":8121069193333309404}', '8121069193333309404'],
    ['{{ value_json.n | int(0) }}', '{"n":"-8121069193333309404"}', '-8121069193333309404'],
    ['{{ value | int }}', '9007199254740993', '9007199254740993'],
    ['{{ value_json.n | default(0) }}', '{"n":9007199254740993}', '9007199254740993'],
    ['{{ value_json.n if value_json.n > 5 else 0 }}', '{"n":9007199254740993}', '9007199254740993'],
    ['{{ value_json.n or 5 }}', '{"n":9007199254740993}', '9007199254740993'],
    ['{{ value_json.a == value_json.b }}', '{"a":9007199254740993,"b":9007199254740992}', 'false'],
    ['{{ value_json.n / 1000 }}', '{"n":9007199254740993}', '9007199254740.992'],
    ['{{ value_json.n | round(1) }}', '{"n":21.2600000000000000001}', '21.3'],
    [undefined, '{"n":9007199254740993}', '{"n":9007199254740993}'],
    [undefined, '9007199254740993', '9007199254740993'],
  ] as const) {
    it(`are stored as sent, and computed as numbers: ${template} of ${payload}`, () =>
      assert.equal(storedOf(template, payload), value));
  }

  it('are those of a sensor with a unit, and switch', () => {
    assert.equal(
      storedOf('{{ value_json.n }}', '{"n":9007199254740993}', 'sensor', { unit_of_meas: 'Wh' }),
      '9007199254740993',
    );
    const on = { pl_on: '9007199254740993', pl_off: '9007199254740992' };
    assert.equal(storedOf('{{ value_json.n }}', '{"n":9007199254740993}', 'binary_sensor', on), 'true');
    assert.equal(storedOf('{{ value_json.n }}', '{"n":9007199254740992}', 'binary_sensor', on), 'false');
  });
});
