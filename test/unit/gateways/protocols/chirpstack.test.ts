import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readChirpStack } from '../../../../src/gateways/protocols/chirpstack';
import { readTheThingsStack } from '../../../../src/gateways/protocols/the-things-stack';
import { UnreadableMessage } from '../../../../src/gateways/protocols/unreadable';
import documentedStatus from '../../../fixtures/protocols/chirpstack-status.json';
import documentedUp from '../../../fixtures/protocols/chirpstack-up.json';

/** The fields of the only point of an event. */
function fieldsOf(event: string, message: unknown): unknown {
  const [point, ...more] = readChirpStack(event, message);
  assert.ok(point);
  assert.equal(more.length, 0);
  return JSON.parse(point.value);
}

function status(fields: object): unknown {
  return { deviceInfo: documentedStatus.deviceInfo, time: documentedStatus.time, ...fields };
}

describe('readChirpStack', () => {
  it('reads the documented uplink, which no codec decoded', () => {
    assert.deepEqual(readChirpStack('up', documentedUp), [
      {
        series: {
          namespace: 'lorawan',
          name: '0101010101010101',
          title: 'Test device',
          source: 'chirpstack',
          dataType: 'json',
          tags: {
            key: 'value',
            tenantName: 'ChirpStack',
            applicationName: 'Test application',
            deviceProfileName: 'Test device-profile',
            deviceName: 'Test device',
            devEui: '0101010101010101',
          },
          units: { rssi: 'dBm', snr: 'dB' },
        },
        value: '{"data":"qg==","fPort":1,"rssi":-36,"snr":10.5}',
        dateMs: Date.parse('2022-07-18T09:34:15.775Z'),
      },
    ]);
  });

  it('stores the decoded object instead of the raw payload', () => {
    const object = { temperature: 21.5, soil: { moisture: 31 } };
    assert.deepEqual(fieldsOf('up', { ...documentedUp, object }), { ...object, rssi: -36, snr: 10.5 });
    assert.deepEqual(fieldsOf('up', { ...documentedUp, object: {} }), {
      data: 'qg==',
      fPort: 1,
      rssi: -36,
      snr: 10.5,
    });
  });

  it('takes the best signal of all gateways, and an omitted ratio as 0 dB', () => {
    const rxInfo = [{ rssi: -110, snr: -7 }, { rssi: -90 }];
    assert.deepEqual(fieldsOf('up', { ...documentedUp, object: { t: 1 }, rxInfo }), { t: 1, rssi: -90, snr: 0 });
    const fsk = { ...documentedUp, object: { t: 1 }, rxInfo, txInfo: { modulation: { fsk: { datarate: 50_000 } } } };
    assert.deepEqual(fieldsOf('up', fsk), { t: 1, rssi: -90, snr: -7 });
  });

  it('reads the documented status', () => {
    const [point] = readChirpStack('status', documentedStatus);
    assert.equal(point?.value, '{"batteryLevel":88.3,"margin":10}');
    assert.deepEqual(point?.series.units, { batteryLevel: '%', margin: 'dB' });
    assert.equal(point?.dateMs, Date.parse('2022-07-18T09:35:06.927Z'));
  });

  it('stores no battery level where there is none', () => {
    const powered = { margin: 4, externalPowerSource: true, batteryLevelUnavailable: false, batteryLevel: 0 };
    assert.deepEqual(fieldsOf('status', status(powered)), { margin: 4, externalPowerSource: true });
    const unknown = { margin: 4, externalPowerSource: false, batteryLevelUnavailable: true, batteryLevel: 0 };
    assert.deepEqual(fieldsOf('status', status(unknown)), { margin: 4, externalPowerSource: false });
  });

  it('ignores other events', () => {
    for (const event of ['join', 'ack', 'txack', 'log', 'location', 'integration', '']) {
      assert.deepEqual(readChirpStack(event, documentedUp), []);
    }
  });

  it('shares the series of a device with The Things Stack', () => {
    const deviceInfo = { ...documentedUp.deviceInfo, devEui: '0004a30b001c0530' };
    const [here] = readChirpStack('up', { ...documentedUp, deviceInfo });
    const ids = { device_id: 'dev1', dev_eui: '0004A30B001C0530' };
    const [there] = readTheThingsStack({ end_device_ids: ids, uplink_message: { decoded_payload: { t: 1 } } });
    assert.equal(here?.series.name, there?.series.name);
    assert.equal(here?.series.namespace, there?.series.namespace);
  });

  const unreadable: [unknown, RegExp][] = [
    ['text', /^the message is not a JSON object$/],
    [{}, /^deviceInfo\.devEui is missing$/],
    [{ deviceInfo: { deviceName: 'x', devEui: '' } }, /^deviceInfo\.devEui is missing$/],
    [{ ...documentedUp, time: 1658136855 }, /^time must be a date/],
  ];
  for (const [message, reason] of unreadable) {
    it(`refuses ${JSON.stringify(message).slice(0, 40)}`, () => {
      assert.throws(
        () => readChirpStack('up', message),
        (error) => {
          assert.ok(error instanceof UnreadableMessage);
          assert.match(error.message, reason);
          return true;
        },
      );
    });
  }

  it('reads any JSON, or calls it unreadable', () => {
    const inner = fc.jsonValue({ maxDepth: 3 });
    const parts = { object: inner, rxInfo: inner, txInfo: inner, time: inner, margin: inner, batteryLevel: inner };
    const messages = fc.oneof(
      inner,
      fc.record(parts, { requiredKeys: [] }).map((fields) => ({ deviceInfo: documentedUp.deviceInfo, ...fields })),
    );
    fc.assert(
      fc.property(fc.constantFrom('up', 'status', 'join'), messages, (event, message) => {
        try {
          for (const { value } of readChirpStack(event, message)) assert.ok(value.length <= 65_535);
        } catch (error) {
          assert.ok(error instanceof UnreadableMessage, String(error));
        }
      }),
    );
  });
});
