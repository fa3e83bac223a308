import assert from 'node:assert/strict';
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
