import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { buildSensor, createKey } from '../../support/factories';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';

const [ODD, LONG] = ['9007199254740993', '8121069193333309404'];

describe('whole numbers of many digits', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const receiver = useReceiver();

  const send = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const response = await fetch(platform.url + path, {
      method: 'POST',
      headers: { 'X-SESSION_ID': user.session, 'Content-Type': 'application/json', ...headers },
      body,
    });
    const text = await response.text();
    assert.ok(response.ok, text);
    return text;
  };
  const valuesOf = async (id: string) =>
    (await user.api.get(`/sensors/${id}/data`)).body.data.map(({ value }: { value: string }) => value);

  it('are stored to the last digit in every form of an upload', async () => {
    const id = await buildSensor(user);
    const at = (second: number) => `"date":${1_600_000_000 + second}`;
    await send(
      `/sensors/${id}/data`,
      `{"data":[{"value":${ODD},${at(0)}},{"value":{"n":${LONG},"__proto__":1},${at(1)}}]}`,
    );
    await send(`/sensors/${id}/data`, `{"value":[${ODD}],${at(2)}}`);
    await send('/sensors/data', `{"sensors":[{"sensor_id":${id},"data":[{"value":${LONG},${at(3)}}]}]}`);
    const ndjson = { 'Content-Type': 'application/x-ndjson' };
    await send(`/sensors/${id}/data`, `{"value":${ODD},${at(4)}}\n{"value":{"n":${LONG}},${at(5)}}`, ndjson);
    await send(`/sensors/${id}/data`, `date,value.n,value.m\n1600000006,${LONG},x`, { 'Content-Type': 'text/csv' });
    await send(`/sensors/${id}/data`, `value=${LONG}&date=1600000007`, {
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    assert.deepEqual(await valuesOf(id), [
      ...[ODD, `{"n":${LONG},"__proto__":1}`, `[${ODD}]`, LONG, ODD, `{"n":${LONG}}`, `{"n":${LONG},"m":"x"}`, LONG],
    ]);
    const csv = await (
      await fetch(`${platform.url}/sensors/${id}/data.csv`, { headers: { 'X-SESSION_ID': user.session } })
    ).text();
    assert.match(csv, new RegExp(`,x,${LONG}`));
  });

  it('are stored to the last digit in the payload of a LoRaWAN device', async () => {
    const key = (await createKey(user, { scopes: ['data:write', 'sensors:create'] })).secret;
    const message = `{"end_device_ids":{"device_id":"d"},"uplink_message":{"decoded_payload":{"n":${ODD},"o":{"p":${LONG}}},"rx_metadata":[{"rssi":-70,"snr":9.1999998092651367}]}}`;
    await send('/in/ttn/uplink', message, { Authorization: `Bearer ${key}`, 'X-SESSION_ID': '' });
    const [{ sensor_id: id }] = (await user.api.get('/series')).body.series;
    const signal = '"rssi":-70,"snr":9.199999809265137';
    assert.deepEqual(await valuesOf(id), [`{"n":${ODD},"o":{"p":${LONG}},${signal}}`]);
  });

  it('stay in the body of a notification', async () => {
    const body = `{"notification":{"type":"url","text":"x","destination":"https://receiver.example.org/hook","body":{"chat":${LONG},"text":"{{title}}"}}}`;
    const made = await send('/notifications', body);
    assert.match(made, new RegExp(`"chat":${LONG}`));
    const { id } = JSON.parse(made).notification;
    const headers = { 'X-SESSION_ID': user.session };
    const read = await (await fetch(`${platform.url}/notifications/${id}`, { headers })).text();
    assert.match(read, new RegExp(`"chat":${LONG}`));
    const list = await (await fetch(`${platform.url}/notifications`, { headers })).text();
    assert.match(list, new RegExp(`"chat":${LONG}`));
  });

  it('arrive at the receiver: those of its body, of a value and of its fields', async () => {
    const { sensorId, notificationIds } = await buildAlarm(user, {
      sensor: { data_type: 'json' },
      trigger: { expression: 'true' },
      notifications: [{ destination: receiver.url, text: '$sensor_data_value.n of $sensor_data_value' }],
    });
    const body = `{"chat":${LONG},"__proto__":{"n":${ODD}},"text":"{{text}}","field":"{{sensor_data_value.n}}"}`;
    const changed = await fetch(`${platform.url}/notifications/${notificationIds[0]}`, {
      method: 'PUT',
      headers: { 'X-SESSION_ID': user.session, 'Content-Type': 'application/json' },
      body: `{"notification":{"body":${body}}}`,
    });
    assert.equal(changed.status, 200, await changed.text());
    await send(`/sensors/${sensorId}/data`, `{"value":{"n":${ODD}}}`);
    await platform.settle();
    const [text, field] = [`${ODD} of {\\"n\\":${ODD}}`, ODD];
    assert.equal(
      receiver.received[0]?.rawBody,
      `{"chat":${LONG},"__proto__":{"n":${ODD}},"text":"${text}","field":"${field}"}`,
    );
  });
});
