import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readTheThingsStack } from '../../../../src/gateways/protocols/the-things-stack';
import { UnreadableMessage } from '../../../../src/gateways/protocols/unreadable';
import others from '../../../fixtures/protocols/the-things-stack-others.json';
import documented from '../../../fixtures/protocols/the-things-stack-uplink.json';

const LORA = { data_rate: { lora: { bandwidth: 125_000, spreading_factor: 7 } } };

/** The documented uplink with other fields. */
function uplink(fields: object, ids: object = {}): unknown {
  return {
    end_device_ids: { ...documented.end_device_ids, ...ids },
    received_at: documented.received_at,
    uplink_message: { settings: LORA, ...fields },
  };
}

/** Objects in objects. */
function nested(levels: number): object {
  return levels === 1 ? {} : { a: nested(levels - 1) };
}

/** Fields with different names. */
function numbered(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, 'x']));
}

/** The only point of a message, with its value parsed. */
function read(message: unknown) {
  const [point, ...more] = readTheThingsStack(message);
  assert.ok(point);
  assert.equal(more.length, 0);
  return { ...point, fields: JSON.parse(point.value) };
}

describe('readTheThingsStack', () => {
  it('reads the documented uplink', () => {
    assert.deepEqual(readTheThingsStack(documented), [
      {
        series: {
          namespace: 'lorawan',
          name: '0004A30B001C0530',
          title: 'dev1',
          source: 'ttn',
          dataType: 'json',
          tags: {
            brand_id: 'the-things-products',
            model_id: 'the-things-uno',
            hardware_version: '1.0',
            firmware_version: 'quickstart',
            band_id: 'US_902_928',
            key1: 'value1',
            key2: 'value2',
            application_id: 'app1',
            device_id: 'dev1',
            dev_eui: '0004A30B001C0530',
          },
          units: { rssi: 'dBm', snr: 'dB' },
        },
        value: '{"temperature":1,"luminosity":0.64,"rssi":-35,"snr":5}',
        dateMs: Date.parse('2020-02-12T15:15:45.789Z'),
      },
    ]);
  });

  for (const message of others) {
    const kind = Object.keys(message).at(-1);
    it(`ignores a documented ${kind}`, () => assert.deepEqual(readTheThingsStack(message), []));
  }

  it('ignores every other kind', () => {
    for (const kind of ['location_solved', 'service_data', 'downlink_queued', 'uplink_normalized']) {
      assert.deepEqual(readTheThingsStack({ end_device_ids: documented.end_device_ids, [kind]: { f_port: 1 } }), []);
    }
  });

  it('keeps nested objects and lists, and leaves out null', () => {
    const decoded_payload = { soil: { moisture: 31, ok: false }, raw: [1, null], battery: null };
    assert.deepEqual(read(uplink({ decoded_payload })).fields, { soil: { moisture: 31, ok: false }, raw: [1, null] });
  });

  it('keeps 32 levels', () => {
    assert.deepEqual(read(uplink({ decoded_payload: nested(32) })).fields, nested(32));
  });

  it('stores a single field "value" plainly', () => {
    const [point] = readTheThingsStack(uplink({ decoded_payload: { value: 21.5 } }));
    assert.equal(point?.value, '21.5');
    assert.equal(point?.series.dataType, 'float');
  });

  it('takes the best signal of all gateways', () => {
    const rx_metadata = [{ rssi: -110, snr: 2.5 }, { rssi: -97, snr: -3 }, { snr: 'high' }, null];
    const { fields } = read(uplink({ decoded_payload: { t: 1 }, rx_metadata }));
    assert.deepEqual(fields, { t: 1, rssi: -97, snr: 2.5 });
  });

  it('reads an omitted ratio of a LoRa uplink as 0 dB, and none of an FSK uplink', () => {
    const rx_metadata = [{ rssi: -90 }, { rssi: -95, snr: -4 }];
    assert.deepEqual(read(uplink({ rx_metadata })).fields, { rssi: -90, snr: 0 });
    const settings = { data_rate: { fsk: { bit_rate: 50_000 } } };
    assert.deepEqual(read(uplink({ rx_metadata: [{ rssi: -90 }], settings })).fields, { rssi: -90 });
  });

  it('prefers fields of the payload to its own', () => {
    const rx_metadata = [{ rssi: -90, snr: 7 }];
    const { fields, series } = read(uplink({ decoded_payload: { rssi: 12 }, rx_metadata }));
    assert.deepEqual(fields, { rssi: 12, snr: 7 });
    assert.deepEqual(series.units, { snr: 'dB' });
  });

  it('keeps the raw payload and its port if no formatter decoded it', () => {
    for (const decoded_payload of [undefined, {}, null]) {
      const { fields } = read(
        uplink({ decoded_payload, frm_payload: 'gkHf', f_port: 2, rx_metadata: [{ rssi: -90 }] }),
      );
      assert.deepEqual(fields, { frm_payload: 'gkHf', f_port: 2, rssi: -90, snr: 0 });
    }
  });

  it('stores nothing for an uplink without any value', () => assert.deepEqual(readTheThingsStack(uplink({})), []));

  it('reads the latest battery percentage', () => {
    const battery = { f_cnt: 3908, value: 52.5, received_at: '2025-12-25T07:09:14.353301178Z' };
    const { fields, series } = read(uplink({ decoded_payload: { t: 1 }, last_battery_percentage: battery }));
    assert.deepEqual(fields, { t: 1, last_battery_percentage: 52.5 });
    assert.deepEqual(series.units, { last_battery_percentage: '%' });
  });

  it('falls back to the date of the application server, and to none', () => {
    assert.equal(read(uplink({ decoded_payload: { t: 1 } })).dateMs, Date.parse('2020-02-12T15:15:46.014Z'));
    const undated = { end_device_ids: documented.end_device_ids, uplink_message: { decoded_payload: { t: 1 } } };
    assert.equal(read(undated).dateMs, undefined);
  });

  it('names a device without a DevEUI by its application and its id', () => {
    const { series } = read(uplink({ decoded_payload: { t: 1 } }, { dev_eui: undefined }));
    assert.equal(series.name, 'app1/dev1');
    assert.deepEqual(series.tags, { application_id: 'app1', device_id: 'dev1' });
    const alone = { dev_eui: undefined, application_ids: undefined };
    assert.equal(read(uplink({ decoded_payload: { t: 1 } }, alone)).series.name, 'dev1');
  });

  it('writes the DevEUI in upper case', () => {
    assert.equal(read(uplink({ decoded_payload: { t: 1 } }, { dev_eui: '00aa' })).series.name, '00AA');
  });

  it('does not let attributes replace the names of the device', () => {
    const { series } = read(
      uplink({ decoded_payload: { t: 1 }, attributes: { device_id: 'other', floor: '3', n: 3 } }),
    );
    assert.deepEqual(series.tags, {
      floor: '3',
      application_id: 'app1',
      device_id: 'dev1',
      dev_eui: '0004A30B001C0530',
    });
  });

  it('reads a limited number of tags', () => {
    const { series } = read(uplink({ decoded_payload: { t: 1 }, attributes: numbered(500) }));
    assert.equal(Object.keys(series.tags).length, 103);
    assert.equal(series.tags.device_id, 'dev1');
  });

  it('keeps field names that mean something to JavaScript', () => {
    const decoded_payload: unknown = JSON.parse('{"__proto__":1,"constructor":{"a":2}}');
    const [point] = readTheThingsStack(uplink({ decoded_payload }));
    assert.equal(point?.value, '{"__proto__":1,"constructor":{"a":2}}');
    const attributes: unknown = JSON.parse('{"__proto__":"x"}');
    const [tagged] = readTheThingsStack(uplink({ decoded_payload: { t: 1 }, attributes }));
    assert.equal(Object.getPrototypeOf(tagged?.series.tags), Object.prototype);
  });

  const unreadable: [string, unknown, string][] = [
    ['a list', [], 'the message is not a JSON object'],
    ['no device', {}, 'end_device_ids is missing'],
    ['no id', { end_device_ids: { dev_eui: '00' } }, 'end_device_ids.device_id is missing'],
    [
      'a wrong date',
      uplink({ decoded_payload: { t: 1 }, received_at: 'yesterday' }),
      'uplink_message.received_at must be a date and time from 1970 to 9999',
    ],
    [
      'a date before 1970',
      uplink({ decoded_payload: { t: 1 }, received_at: '1969-12-31T23:59:59Z' }),
      'uplink_message.received_at must be a date and time from 1970 to 9999',
    ],
    ['a large value', uplink({ decoded_payload: { t: 'é'.repeat(32_768) } }), 'the value is longer than 65535 bytes'],
    [
      'a long name',
      uplink({ decoded_payload: { t: 1 } }, { dev_eui: 'A'.repeat(2_001) }),
      'the name of the series must be Unicode of at most 2000 characters',
    ],
    [
      'a date after 9999',
      uplink({ decoded_payload: { t: 1 }, received_at: '9999-12-31T23:59:59-01:00' }),
      'uplink_message.received_at must be a date and time from 1970 to 9999',
    ],
    [
      'half of a surrogate pair',
      uplink({ decoded_payload: { value: '\ud83d' } }),
      'the value must be well-formed Unicode',
    ],
    ['many fields', uplink({ decoded_payload: numbered(10_001) }), 'more than 10000 fields'],
    ['33 levels', uplink({ decoded_payload: nested(33) }), 'the value has more than 32 nested levels'],
    [
      'a deep value',
      uplink({ decoded_payload: JSON.parse(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`) }),
      'the value has more than 32 nested levels',
    ],
  ];
  for (const [title, message, reason] of unreadable) {
    it(`refuses ${title}`, () => {
      assert.throws(
        () => readTheThingsStack(message),
        (error) => {
          assert.ok(error instanceof UnreadableMessage);
          assert.equal(error.message, reason);
          return true;
        },
      );
    });
  }

  it('reads any JSON, or calls it unreadable', () => {
    const inner = fc.jsonValue({ maxDepth: 3 });
    const messages = fc.oneof(
      inner,
      fc.record({ end_device_ids: fc.oneof(inner, fc.constant({ device_id: 'd' })), uplink_message: inner }),
      fc
        .record(
          { decoded_payload: inner, rx_metadata: inner, received_at: inner, settings: inner, attributes: inner },
          { requiredKeys: [] },
        )
        .map((fields) => uplink(fields)),
    );
    fc.assert(
      fc.property(messages, (message) => {
        try {
          for (const { value, dateMs } of readTheThingsStack(message)) {
            assert.ok(Buffer.byteLength(value) <= 65_535);
            assert.ok(dateMs === undefined || dateMs >= 0);
          }
        } catch (error) {
          assert.ok(error instanceof UnreadableMessage, String(error));
        }
      }),
    );
  });
});
