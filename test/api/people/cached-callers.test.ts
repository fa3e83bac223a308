import assert from 'node:assert/strict';
import { apiClient } from '../../support/api-client';
import {
  buildNotification,
  buildSensor,
  buildTrigger,
  connectTrigger,
  create,
  createKey,
} from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import { packetsDuring } from '../../support/sent-statements';

const MINUTE_MS = 60_000;

describe('uploads of callers that the API process has cached', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const user = useUserPerTest(platform);

  const credentials = async () => {
    const { id, secret } = await createKey(user);
    const session = { name: 'a session', headers: { 'X-SESSION_ID': user.session }, id: '' };
    return [session, { name: 'a key', headers: { Authorization: `Bearer ${secret}` }, id }] as const;
  };
  /** A sensor to which that caller has just uploaded a point of date 1. */
  const cached = async (headers: Record<string, string>) => {
    const sensor = await buildSensor(user);
    const send = (body: unknown) => apiClient(platform.url, headers).post(`/sensors/${sensor}/data`, body);
    for (const date of [1, 1]) assert.equal((await send({ value: 1, date })).status, 201);
    const dates = async () =>
      (await platform.query('SELECT date_ms FROM data_points WHERE sensor_id = ?', [sensor])).map((row) => row.date_ms);
    return { sensor, send, dates };
  };
  const looksUp = (packets: readonly string[]) => packets.some((sql) => /token_hash IN|secret_hash IN/.test(sql));

  it('are one transaction where they write with more than one statement', async () => {
    const [{ headers }] = await credentials();
    const { sensor, send } = await cached(headers);
    const points = (count: number) => ({ data: Array.from({ length: count }, (_, date) => ({ value: 1, date })) });
    const isTransaction = async (body: unknown) => {
      const packets = await packetsDuring(async () => assert.equal((await send(body)).status, 201));
      const ours = packets.filter((sql) => /data_points/.test(sql));
      assert.equal(ours.length, 1, ours.join('\n'));
      return /^START TRANSACTION; .* COMMIT; /s.test(String(ours[0]));
    };
    assert.equal(await isTransaction(points(1_000)), false);
    assert.equal(await isTransaction(points(1_001)), true);
    await connectTrigger(user, sensor, await buildTrigger(user));
    await send(points(1)); // to cache it again
    assert.equal(await isTransaction(points(1)), true);
  });

  it('are two packets where the server has to date a point', async () => {
    const [{ headers }] = await credentials();
    const { send } = await cached(headers);
    const packets = await packetsDuring(() => send({ value: 1 }));
    const ours = packets.filter((sql) => /server_dates|data_points/.test(sql));
    assert.equal(ours.length, 2, ours.join('\n'));
    assert.match(String(ours[0]), /^START TRANSACTION; SELECT .* INSERT INTO server_dates .* SELECT sensor_id/s);
    assert.match(String(ours[1]), /^INSERT INTO data_points .* COMMIT; SELECT /s);
  });

  it('go to MySQL in one packet, with the commit, and are looked up again after half a minute', async () => {
    for (const { name, headers } of await credentials()) {
      const { send, dates } = await cached(headers);
      const packets = await packetsDuring(() => send({ value: 1, date: 2 }));
      const ours = packets.filter((sql) => /data_points|sessions|api_keys|partitions/.test(sql));
      assert.equal(ours.length, 1, `${name}: ${ours.join('\n')}`);
      assert.match(String(ours[0]), /^SELECT .* INSERT INTO data_points .* SELECT /s);
      clock.advance(MINUTE_MS);
      assert.ok(looksUp(await packetsDuring(() => send({ value: 1, date: 3 }))), name);
      assert.deepEqual(await dates(), [1_000, 2_000, 3_000]);
    }
  });

  it('see after half a minute that an event notification waits for them, made by a release that does not count it', async () => {
    const [{ headers }] = await credentials();
    const { send } = await cached(headers);
    const fields = { event: 'add_sensor_data', notification_id: await buildNotification(user), enabled: false };
    const made = await create(user, '/events/notifications', { event_notification: fields });
    await platform.query('UPDATE event_notifications SET enabled = TRUE WHERE id = ?', [made.event_notification.id]);
    const raisesEvent = async (date: number) =>
      (await packetsDuring(() => send({ value: 1, date }))).some((sql) => /INSERT INTO events/.test(sql));
    assert.equal(await raisesEvent(2), false);
    clock.advance(MINUTE_MS / 2);
    assert.ok(await raisesEvent(3));
    await user.api.delete(`/events/notifications/${made.event_notification.id}`); // others' uploads would look, too
  });

  for (const [what, sql] of [
    ['has ended', ['DELETE FROM sessions WHERE user_id = ?', 'DELETE FROM api_keys WHERE owner_id = ?']],
    ['is gone with its account', ['DELETE FROM users WHERE id = ?']],
  ] as const) {
    it(`are refused as soon as the credential ${what}, in whatever process, and store nothing`, async () => {
      const [session, key] = await credentials();
      const callers = [await cached(session.headers), await cached(key.headers)];
      for (const statement of sql) await platform.query(statement, [user.id]);
      for (const { send, dates } of callers) {
        const stored = await dates();
        for (const [body, status] of [
          [{ value: 1, date: 2 }, 401],
          [{ value: 1, date: 'yesterday' }, 401],
          [{ data: [] }, 401],
        ] as const) {
          const response = await send(body);
          assert.equal(response.status, status, JSON.stringify([body, response.body]));
          assert.ok(['no_session', 'invalid_token'].includes(response.body.code), JSON.stringify(response.body));
        }
        assert.deepEqual(await dates(), stored);
      }
    });
  }

  it('of keys with an end and a few sensors go to MySQL in one packet, too, and not those of keys with very many', async () => {
    for (const [count, isCached] of [
      [3, true],
      [51, false],
    ] as const) {
      const sensors = await Promise.all(Array.from({ length: count }, () => buildSensor(user)));
      const { secret } = await createKey(user, { sensors, expires: clock.now() / 1_000 + 3_600 });
      const api = apiClient(platform.url, { Authorization: `Bearer ${secret}` });
      const send = () => api.post(`/sensors/${sensors[0]}/data`, { value: 1, date: 1 });
      for (let time = 0; time < 2; time += 1) assert.equal((await send()).status, 201);
      const packets = await packetsDuring(async () => assert.equal((await send()).status, 201));
      assert.equal(looksUp(packets), !isCached);
      assert.equal(packets.filter((sql) => /data_points|partitions/.test(sql)).length, 1);
    }
  });

  it('are refused after a logout', async () => {
    const { send, dates } = await cached({ 'X-SESSION_ID': user.session });
    assert.equal((await user.api.post('/logout', {})).status, 200);
    assert.equal((await send({ value: 1, date: 2 })).status, 401);
    assert.deepEqual(await dates(), [1_000]);
  });

  it('reach no other sensors once the key has got some, and end with its end', async () => {
    const [, { headers, id }] = await credentials();
    const { sensor, send, dates } = await cached(headers);
    const put = (key: Record<string, unknown>) => user.api.put(`/keys/${id}`, { key });
    assert.equal((await put({ sensors: [await buildSensor(user)] })).status, 200);
    const refused = await send({ value: 1, date: 2 });
    assert.ok([403, 404].includes(refused.status), JSON.stringify(refused.body));
    assert.deepEqual(await dates(), [1_000]);
    assert.equal((await put({ sensors: [sensor] })).status, 200);
    assert.equal((await send({ value: 1, date: 3 })).status, 201);
    assert.equal((await put({ sensors: null, expires: clock.now() / 1_000 + 10 })).status, 200);
    assert.equal((await send({ value: 1, date: 4 })).status, 201);
    clock.advance(11_000);
    assert.equal((await send({ value: 1, date: 5 })).status, 401);
    assert.deepEqual(await dates(), [1_000, 3_000, 4_000]);
  });

  it('reach what the list of their key has got since, and not what it has lost', async () => {
    const [first, second] = [await buildSensor(user), await buildSensor(user)];
    const { id, secret } = await createKey(user, { sensors: [first] });
    const api = apiClient(platform.url, { Authorization: `Bearer ${secret}` });
    const ways = [
      (sensor: string, date: number) => api.post(`/sensors/${sensor}/data`, { value: 1, date }),
      (sensor: string, date: number) =>
        api.post('/sensors/data', { sensors: [{ sensor_id: sensor, data: [{ value: 1, date }] }] }),
    ];
    let date = 0;
    for (const send of ways) {
      for (const [sensors, expected] of [
        [[first], [201, 404]],
        [
          [first, second],
          [201, 201],
        ],
        [[second], [404, 201]],
      ] as const) {
        assert.equal((await user.api.put(`/keys/${id}`, { key: { sensors } })).status, 200);
        const statuses: number[] = [];
        for (const sensor of [first, second, first, second]) {
          date += 1;
          statuses.push((await send(sensor, date)).status);
        }
        assert.deepEqual(statuses, [...expected, ...expected]);
      }
    }
    for (const sensor of [first, second]) {
      const rows = await platform.query('SELECT date_ms FROM data_points WHERE sensor_id = ?', [sensor]);
      assert.equal(rows.length, 8);
    }
  });

  it('see what has changed of their sensors', async () => {
    for (const { headers } of await credentials()) {
      const { sensor, send, dates } = await cached(headers);
      const triggerId = await buildTrigger(user, { expression: 'sensor_data_value > 0' });
      await connectTrigger(user, sensor, triggerId);
      assert.equal((await send({ value: 1, date: 2 })).status, 201);
      await platform.settle();
      const path = `/sensors/${sensor}/triggers/${triggerId}`;
      assert.equal((await user.api.get(path)).body.trigger.times_triggered, 1);
      assert.equal((await user.api.delete(`/sensors/${sensor}`)).status, 200);
      assert.equal((await send({ value: 1, date: 3 })).status, 404);
      assert.deepEqual(
        (await dates()).filter((date) => date === 3_000),
        [],
      );
    }
  });

  it('get the errors of their bodies, and those of others’ sensors', async () => {
    const other = await platform.user();
    const foreign = await buildSensor(other);
    for (const { headers } of await credentials()) {
      const { send } = await cached(headers);
      assert.equal((await send({ value: 1, date: 'yesterday' })).status, 400);
      const api = apiClient(platform.url, headers);
      assert.equal((await api.post(`/sensors/${foreign}/data`, { value: 1 })).status, 404);
      assert.equal(
        (await api.post('/sensors/data', { sensors: [{ sensor_id: foreign, data: [{ value: 1 }] }] })).status,
        404,
      );
    }
  });
});
