import assert from 'node:assert/strict';
import { createKey } from '../../support/factories';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import { sentBody } from '../../support/remote-write-bytes';

describe('the protocols of devices and their servers', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);

  const keyOf = async (scopes = ['data:write', 'sensors:create']) => (await createKey(user, { scopes })).secret;
  const send = async (path: string, init: RequestInit) => {
    const response = await fetch(platform.url + path, { method: 'POST', ...init });
    return { status: response.status, text: await response.text() };
  };
  const json = (key: string, body: unknown) => ({
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const stored = async () => {
    const { series } = (await user.api.get('/series')).body;
    return Promise.all(
      series.map(async ({ name, sensor_id: id }: Record<string, string>) => {
        const [{ sensor }, { data }] = await Promise.all(
          [`/sensors/${id}`, `/sensors/${id}/data`].map(async (path) => (await user.api.get(path)).body),
        );
        return { name, sensor, values: data.map(({ value }: { value: string }) => JSON.parse(value)) };
      }),
    );
  };

  it('store an uplink of The Things Stack, and accept what holds nothing to store', async () => {
    const key = await keyOf();
    const uplink = {
      end_device_ids: {
        device_id: 'cellar',
        application_ids: { application_id: 'house' },
        dev_eui: '0004a30b001c0530',
      },
      received_at: '2026-11-26T10:00:00.123456789Z',
      uplink_message: {
        f_port: 1,
        decoded_payload: { temperature: 11.5, door: { open: true } },
        rx_metadata: [
          { rssi: -110, snr: 2 },
          { rssi: -70, snr: 9.5 },
        ],
        settings: { data_rate: { lora: { spreading_factor: 7 } } },
      },
    };
    assert.deepEqual(await send('/in/ttn/up', json(key, uplink)), { status: 200, text: '{}' });
    const join = { end_device_ids: uplink.end_device_ids, join_accept: { session_key_id: 'AA==' } };
    assert.deepEqual(await send('/in/ttn/join', json(key, join)), { status: 200, text: '{}' });
    for (const path of ['/in/ttn/path/to/webhook', '/in/TTN/a/b/c/d', '/in/ttn/']) {
      assert.deepEqual(await send(path, json(key, join)), { status: 200, text: '{}' }, path);
    }
    assert.equal((await send('/in/ttn2', json(key, join))).status, 404);
    const [{ name, sensor, values }, ...others] = await stored();
    assert.equal(others.length, 0);
    assert.deepEqual([name, sensor.name, sensor.device_type], ['0004A30B001C0530', 'cellar', 'ttn']);
    assert.deepEqual(values, [{ temperature: 11.5, door: { open: true }, rssi: -70, snr: 9.5 }]);
  });

  it('lead a device of both LoRaWAN servers to one sensor', async () => {
    const key = await keyOf();
    const ids = { device_id: 'cellar', application_ids: { application_id: 'house' }, dev_eui: '0004A30B001C0530' };
    await send('/in/ttn', json(key, { end_device_ids: ids, uplink_message: { decoded_payload: { temperature: 1 } } }));
    const deviceInfo = { devEui: '0004a30b001c0530', deviceName: 'cellar' };
    const up = { deviceInfo, time: '2026-11-26T10:00:00Z', object: { temperature: 2 }, rxInfo: [] };
    assert.equal((await send('/in/chirpstack?event=up', json(key, up))).status, 200);
    assert.equal((await send('/in/chirpstack?event=join', json(key, { deviceInfo }))).status, 200);
    const [{ values }, ...others] = await stored();
    assert.equal(others.length, 0);
    assert.deepEqual(values.map(({ temperature }: { temperature: number }) => temperature).sort(), [1, 2]);
  });

  it('store measurements of a list under their names, wherever they stand in the next message', async () => {
    const key = await keyOf();
    const ids = { device_id: 'roof', application_ids: { application_id: 'house' }, dev_eui: '2CF7F1C044300011' };
    const measured = (type: string, measurementValue: number) => ({ measurementId: '4097', measurementValue, type });
    const up = (messages: object[], receivedAt: string) => {
      const uplink = { decoded_payload: { err: 0, messages: [messages], valid: true }, received_at: receivedAt };
      return send('/in/ttn', json(key, { end_device_ids: ids, uplink_message: uplink }));
    };
    const [warm, wind] = [measured('Air Temperature', 18), measured('Wind Direction Sensor', 170)];
    assert.equal((await up([warm, wind], '2026-11-26T10:00:00Z')).status, 200);
    assert.equal((await up([wind, warm], '2026-11-26T10:10:00Z')).status, 200);
    const [{ values }, ...others] = await stored();
    assert.equal(others.length, 0);
    const named = { 'Air Temperature': 18, 'Wind Direction Sensor': 170 };
    assert.deepEqual(values, [named, named]);
  });

  it('store measurements of a list by ChirpStack too, and name the version that is not read', async () => {
    const key = await keyOf();
    const deviceInfo = { devEui: '2CF7F1C044300012', deviceName: 'roof' };
    const list = [{ measurementId: '4097', measurementValue: 18, type: 'Air Temperature' }];
    const up = { deviceInfo, time: '2026-11-26T10:00:00Z', object: { err: 0, messages: [list], valid: true } };
    assert.equal((await send('/in/chirpstack?event=up', json(key, up))).status, 200);
    const former = { devEUI: 'qrvM3e7/ABE=', objectJSON: '{"temperature":1}' };
    const refused = await send('/in/chirpstack?event=up', json(key, former));
    assert.equal(refused.status, 400);
    assert.match(refused.text, /of ChirpStack 3: version 4 is read, with deviceInfo\.devEui/);
    const [{ values }, ...others] = await stored();
    assert.deepEqual([values, others], [[{ 'Air Temperature': 18 }], []]);
  });

  it('store what an Ecowitt station posts to its path, in SI units or its own', async () => {
    const key = await keyOf();
    const report = {
      PASSKEY: 'A1B2C3',
      stationtype: 'GW1100A',
      dateutc: '2026-11-26 10:00:00',
      tempf: '68.0',
      model: 'GW1100A',
    };
    const form = (fields: object) => ({ body: new URLSearchParams({ ...report, ...fields }) });
    assert.equal((await send(`/in/ecowitt/${key}/`, form({}))).status, 200);
    assert.equal((await send(`/in/ecowitt/${key}/raw/`, form({ PASSKEY: 'D4E5F6' }))).status, 200);
    const inQuery = `/in/ecowitt/${key}/data/report/?units=raw`;
    assert.equal((await send(inQuery, form({ PASSKEY: 'E5F6A7' }))).status, 200);
    const [inSi, raw, asWell] = await stored();
    assert.deepEqual([inSi.values, raw.values, asWell.values], [[{ temp: 20 }], [{ tempf: 68 }], [{ tempf: 68 }]]);
    assert.deepEqual(inSi.sensor.field_units, { temp: '°C' });
  });

  it('store what a station sends in the protocol of Weather Underground', async () => {
    const key = await keyOf();
    const query = new URLSearchParams({
      ID: 'IDELFT7',
      PASSWORD: key,
      dateutc: 'now',
      tempf: '50',
      action: 'updateraw',
    });
    const answer = await send(`/weatherstation/updateweatherstation.php?${query}`, { method: 'GET' });
    assert.deepEqual(answer, { status: 200, text: 'success\n' });
    const [{ name, values }] = await stored();
    assert.deepEqual([name, values], ['IDELFT7', [{ temp: 10 }]]);
  });

  it('refuse a key in an address that may do more, and name what can never be read', async () => {
    const query = new URLSearchParams({ ID: 'IDELFT7', PASSWORD: await keyOf(['write']), tempf: '50' });
    const refused = await send(`/weatherstation/updateweatherstation.php?${query}`, { method: 'GET' });
    assert.equal(refused.status, 403);
    assert.match(refused.text, /^a key in an address may have the scopes data:write and sensors:create alone/);
    const unknown = await send('/in/ecowitt/key_nobody/', { body: new URLSearchParams({ PASSKEY: 'A' }) });
    assert.equal(unknown.status, 401);
    const missing = await send(`/in/ecowitt/${await keyOf()}/`, { body: new URLSearchParams({ tempf: '50' }) });
    assert.deepEqual([missing.status, JSON.parse(missing.text).error], [400, 'PASSKEY is missing']);
  });

  it('store what Prometheus writes, and refuse its version 2 so that it falls back', async () => {
    const key = await keyOf();
    const body = await sentBody([
      { labels: { __name__: 'room_celsius', room: 'hall' }, samples: [{ value: 21.5, timestamp: 1_795_229_544_125 }] },
      { labels: { __name__: 'up' }, samples: [{ value: 1, timestamp: 1_795_229_544_125 }] },
    ]);
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/x-protobuf',
      'content-encoding': 'snappy',
      'x-prometheus-remote-write-version': '0.1.0',
    };
    const write = (more = {}) =>
      send('/api/v1/write', { headers: { ...headers, ...more }, body: new Uint8Array(body) });
    for (let time = 0; time < 2; time += 1) assert.deepEqual(await write(), { status: 204, text: '' });
    const all = await stored();
    assert.deepEqual(
      all.map(({ name, values }) => [name, values]),
      [
        ['room_celsius{room="hall"}', [21.5]],
        ['up', [1]],
      ],
    );
    assert.equal((await write({ 'x-prometheus-remote-write-version': '2.0.0' })).status, 415);
    const broken = await send('/api/v1/write', { headers, body: 'no message' });
    assert.equal(broken.status, 400);
    const refused = await send('/sensors', { headers, body: 'no message' });
    assert.equal(refused.status, 415);
  });
});
