import assert from 'node:assert/strict';
import { readChirpStack } from '../../../../src/gateways/protocols/chirpstack';
import { withNamedValues } from '../../../../src/gateways/protocols/named-values';
import { readTheThingsStack } from '../../../../src/gateways/protocols/the-things-stack';
import { UnreadableMessage } from '../../../../src/gateways/protocols/unreadable';

const measured = (measurementId: string, measurementValue: unknown, type: string) => ({
  measurementId,
  measurementValue,
  type,
});
const WEATHER = {
  err: 0,
  messages: [
    [measured('4097', 18, 'Air Temperature'), measured('4098', 61, 'Air Humidity')],
    [measured('4104', 170, 'Wind Direction Sensor')],
  ],
  payload: '0100B43D',
  valid: true,
};
const NAMED = { 'Air Temperature': 18, 'Air Humidity': 61, 'Wind Direction Sensor': 170 };

describe('measurements in lists', () => {
  it('are fields by their names, without what is about the message', () => {
    assert.deepEqual(withNamedValues(WEATHER), NAMED);
  });

  it('may be in a plain list, next to other fields, and of any scalar type', () => {
    const data = [
      { name: 'co2', value: 412 },
      { name: 'door', value: true },
      { name: 'state', value: 'ok', unit: '' },
    ];
    assert.deepEqual(withNamedValues({ data, battery: 90 }), { co2: 412, door: true, state: 'ok', battery: 90 });
  });

  it('are named by their id where the type is a kind of message, which may bring other fields', () => {
    const messages = [
      { type: 'report_telemetry', measurementId: 4097, measurementValue: 23.2 },
      { type: 'report_telemetry', measurementId: 4098, measurementValue: 60 },
      { type: 'upload_battery', battery: 100 },
    ];
    assert.deepEqual(withNamedValues({ messages }), { 4097: 23.2, 4098: 60, battery: 100 });
  });

  it('are numbered where a name repeats', () => {
    const list = [1, 2, 3].map((value) => ({ name: 'soil', value }));
    assert.deepEqual(withNamedValues({ list }), { soil: 1, 'soil 2': 2, 'soil 3': 3 });
  });

  for (const [what, payload] of Object.entries({
    'numbers alone': { list: [1, 2], err: 0 },
    'no list': { valid: true, payload: 'x', temperature: 1 },
    'an empty list': { messages: [[]], err: 1 },
    'an item without a value': { list: [{ name: 'a', value: 1 }, { name: 'b' }] },
    'an item without a name': { list: [{ value: 1 }] },
    'an item whose value is an object': { list: [{ name: 'a', value: { b: 1 } }] },
  })) {
    it(`are none: ${what}`, () => assert.deepEqual(withNamedValues(payload), payload));
  }

  it('are read on both network servers', () => {
    const ttn = readTheThingsStack({
      end_device_ids: { device_id: 'd' },
      uplink_message: { decoded_payload: WEATHER },
    });
    const chirpstack = readChirpStack('up', { deviceInfo: { devEui: '01' }, object: WEATHER });
    for (const [point] of [ttn, chirpstack]) assert.equal(point?.value, JSON.stringify(NAMED));
  });
});

describe('a message of ChirpStack 3', () => {
  it('is refused with the version that is read', () => {
    assert.throws(
      () => readChirpStack('up', { devEUI: 'qrvM3e7/ABE=', objectJSON: '{"temperature":1}' }),
      new UnreadableMessage('the message is of ChirpStack 3: version 4 is read, with deviceInfo.devEui'),
    );
  });
});
