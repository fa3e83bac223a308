import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { apiClient } from '../../support/api-client';
import { buildDashboard, buildSensor, buildTrigger, chartOf, connectTrigger } from '../../support/factories';
import { usePlatform, useUser, useUserPerTest } from '../../support/hooks';
import { writeLines } from '../../support/lines';
import type { TestUser } from '../../support/platform';
import { recordedLogs } from '../../support/recorded-logs';

const PLACE = { x: 0, y: 0, w: 6, h: 4 };
const DAY = 86_400;

describe('a public dashboard', () => {
  const platform = usePlatform({ config: { TRUST_PROXY: '1' } });
  const user = useUserPerTest(platform);
  const stranger = useUser(platform);

  const publish = async (tiles: object[], owner: TestUser = user) => {
    const id = await buildDashboard(owner, { name: 'Wall', tiles });
    const { status, body } = await owner.api.post(`/dashboards/${id}/public`);
    assert.equal(status, 201);
    assert.match(body.dashboard.public, /^[0-9A-Za-z]{43}$/);
    return { id, token: String(body.dashboard.public) };
  };
  const read = (token: string, tile = 0, more = '') =>
    platform.anonymous.get(`/public/${token}/data?tile=${tile}${more}`);
  const upload = async (sensor: string, owner: TestUser, data: object[]) =>
    assert.equal((await owner.api.post(`/sensors/${sensor}/data`, { data })).status, 201);

  /** A sensor with everything that its tile does not show. */
  const buildSecrets = async () => {
    const now = Date.now() / 1_000;
    const sensor = await buildSensor(user, {
      name: 'internal-name',
      display_name: 'Roof',
      device_type: 'secret-device',
    });
    await platform.query('UPDATE sensors SET field_units = ? WHERE id = ?', ['{"t":"°C","secret":"Sv"}', sensor]);
    await upload(sensor, user, [
      { date: now - DAY, value: { t: 11, secret: 4711 } },
      { date: now - 60, value: { t: 22, secret: 4712, nested: { secret: 4713 } } },
    ]);
    await user.api.put(`/sensors/${sensor}/metatags`, { metatags: { secret: ['tag-4714'] } });
    return sensor;
  };

  it('shows exactly its tiles, and neither ids nor anything of its owner', async () => {
    const sensor = await buildSecrets();
    const tile = chartOf(sensor, { fields: ['t'], range: 3_600, text: 'Shown' });
    const { id, token } = await publish([tile]);
    const { body, headers } = await platform.anonymous.get(`/public/${token}`);
    const { sensors: _, ...shown } = tile;
    assert.deepEqual(body, { dashboard: { name: 'Wall', tiles: [shown], version: 1 } });
    const data = await read(token);
    const [roof] = data.body.tile.sensors;
    assert.deepEqual([roof.id, roof.name, roof.field_units, roof.last.value], [null, 'Roof', { t: '°C' }, '{"t":22}']);
    assert.equal(roof.points.length, 1, 'the older one is out of the range');
    const everything = JSON.stringify([body, data.body]);
    for (const secret of ['4711', '4712', '4713', '4714', 'secret', 'internal', user.username, '"11"']) {
      assert.ok(!everything.includes(secret), secret);
    }
    assert.doesNotMatch(everything, /"(id|owner|sensor_id)":"/);
    for (const { headers: sent } of [{ headers }, data]) {
      assert.deepEqual(
        ['cache-control', 'x-robots-tag', 'referrer-policy', 'set-cookie', 'access-control-allow-credentials'].map(
          (name) => sent.get(name),
        ),
        ['no-store', 'noindex', 'no-referrer', null, null],
      );
    }
    assert.equal((await user.api.get(`/dashboards/${id}`)).body.dashboard.public, token);
  });

  it('shows units of what a tile shows alone: none on a tile of states', async () => {
    const sensor = await buildSecrets();
    const tiles = [
      { kind: 'state', sensors: [sensor], ...PLACE },
      chartOf(sensor, { fields: ['t'], range: 600 }),
      chartOf(sensor, { range: 3_600 }),
    ];
    const { token } = await publish(tiles);
    await platform.query('UPDATE sensors SET unit = ?, field_units = ? WHERE id = ?', [
      'secret-unit',
      '{"t":"°C","never":"Sv","nested.secret":"Bq"}',
      sensor,
    ]);
    const [states] = (await read(token, 0)).body.tile.sensors;
    assert.deepEqual([states.name, states.unit, states.field_units], ['Roof', '', {}]);
    assert.deepEqual((await read(token, 1)).body.tile.sensors[0].field_units, { t: '°C' });
    assert.deepEqual((await read(token, 2)).body.tile.sensors[0].field_units, { t: '°C', 'nested.secret': 'Bq' });
  });

  it('distinguishes equal names by the tags that differ, otherwise by numbers, as do the tiles of its owner', async () => {
    const ids = await writeLines(platform, user, [
      'temperature,room=a,host=x value=31',
      'temperature,room=b,host=x value=32',
    ]);
    const [a = '', b = ''] = [ids.get('temperature,host=x,room=a'), ids.get('temperature,host=x,room=b')];
    const plain = [await buildSensor(user, { name: 'Hall' }), await buildSensor(user, { name: 'Hall' })];
    await buildSensor(user, { name: 'Attic' });
    const attic = await buildSensor(user, { name: 'Attic' });
    const trigger = await buildTrigger(user, { name: 'too warm', expression: 'sensor_data_value > 30' });
    await connectTrigger(user, b, trigger);
    await upload(b, user, [{ value: 33 }]);
    await platform.settle();
    const alerts = { ...PLACE, kind: 'alerts', sensors: [] };
    const { id, token } = await publish([chartOf(a), { ...chartOf(b), sensors: [b, ...plain, attic] }, alerts]);
    const namesOf = (answer: { body: { tile: { sensors: { name: string }[] } } }) =>
      answer.body.tile.sensors.map(({ name }) => name);
    assert.deepEqual(namesOf(await read(token)), ['temperature (a)'], 'the other one is in another tile');
    assert.deepEqual(namesOf(await read(token, 1)), ['temperature (b)', 'Hall (1)', 'Hall (2)', 'Attic']);
    assert.equal((await read(token, 2)).body.tile.alerts[0].sensor, 'temperature (b)');
    const own = namesOf(await user.api.get(`/dashboards/${id}/data?tile=1`));
    assert.deepEqual(own, ['temperature (b)', ...plain.map((sensor) => `Hall (id ${sensor})`), 'Attic']);
  });

  it('takes no parameter but the tile, and no credential', async () => {
    const sensor = await buildSecrets();
    const { token } = await publish([chartOf(sensor, { fields: ['t'], range: 3_600 })]);
    const plain = (await read(token)).body.tile.sensors;
    const others =
      '&sensor_id[]=1&sensors=1&fields[]=secret&range=9999999&start_date=1&end_date=9999999999&interval=60';
    assert.deepEqual((await read(token, 0, others)).body.tile.sensors, plain);
    const way = `/public/${token}/data?tile=0`;
    const credentials: Record<string, string>[] = [
      { 'X-SESSION_ID': stranger.session },
      { cookie: `session_id=${user.session}` },
      { 'X-SESSION_ID': 'wrong' },
      { Authorization: 'Bearer wrong' },
    ];
    for (const credential of credentials) {
      const { status, body, headers } = await platform.anonymous.get(way, {
        ...credential,
        Origin: 'https://other.example',
      });
      assert.deepEqual([status, body.tile?.sensors], [200, plain], JSON.stringify(credential));
      assert.equal(headers.get('access-control-allow-origin'), '*');
    }
    for (const tile of [1, -1, 50, 0.5, 'x', '0;1']) {
      assert.ok([400, 404].includes((await platform.anonymous.get(`/public/${token}/data?tile=${tile}`)).status));
    }
    const { anonymous } = platform;
    const below = [`/public/${token}/sensors`, `/public/${token}/data/stream`, `/public/${token}/../sensors`];
    for (const path of below) assert.ok([401, 404].includes((await anonymous.get(path)).status), path);
    for (const method of ['post', 'put', 'delete'] as const) {
      assert.equal((await anonymous[method](`/public/${token}`, {})).status, 405, method);
    }
  });

  it('shows no sensor that its owner does not own, or cannot see any more', async () => {
    const shared = await buildSensor(stranger, { name: 'of the stranger' });
    await upload(shared, stranger, [{ value: 77 }]);
    await stranger.api.post(`/sensors/${shared}/users`, { user: { id: user.id } });
    const own = await buildSensor(user, { name: 'own' });
    const { id, token } = await publish([
      chartOf(shared, { sensors: [own, shared] }),
      { kind: 'state', sensors: [shared], ...PLACE },
      { kind: 'value', sensors: [shared], ...PLACE },
    ]);
    const owners = async (tile: number) =>
      (await user.api.get(`/dashboards/${id}/data?tile=${tile}`)).body.tile.sensors;
    assert.equal((await owners(0))[1].last.value, '77');
    for (const tile of [0, 1, 2]) {
      const { sensors } = (await read(token, tile)).body.tile;
      const { available, name, last, points, state } = sensors.at(-1);
      assert.deepEqual([available, name, last, points, state], [false, '', null, [], null]);
    }
    assert.equal((await read(token)).body.tile.sensors[0].name, 'own');
    await stranger.api.delete(`/sensors/${shared}/users/${user.id}`);
    assert.equal((await owners(0))[1].available, false);
    await user.api.delete(`/sensors/${own}`);
    assert.deepEqual(
      (await read(token)).body.tile.sensors.map(({ available }: { available: boolean }) => available),
      [false, false],
    );
  });

  it('shows the states and alerts of its owner, without notes', async () => {
    const alarm = { trigger: { name: 'too warm', severity: 'critical', expression: 'sensor_data_value > 30' } };
    const { sensorId } = await buildAlarm(user, { sensor: { name: 'freezer' }, ...alarm, notifications: [] });
    const foreign = await buildAlarm(stranger, { sensor: { name: 'other' }, ...alarm, notifications: [] });
    const tiles = [
      { kind: 'alerts', ...PLACE },
      { kind: 'state', sensors: [sensorId], ...PLACE },
      { kind: 'alerts', sensors: [sensorId], ...PLACE },
    ];
    const { token } = await publish(tiles);
    assert.deepEqual((await read(token, 0)).body.tile.alerts, []);
    assert.deepEqual((await read(token, 1)).body.tile.sensors[0].state, 'ok');
    await upload(sensorId, user, [{ value: 31 }]);
    await upload(foreign.sensorId, stranger, [{ value: 33 }]);
    await platform.settle();
    for (const tile of [0, 2]) {
      const { alerts, alert_count } = (await read(token, tile)).body.tile;
      assert.equal(alert_count, 1);
      const [{ since, ...alert }] = alerts;
      assert.ok(since > 0);
      assert.deepEqual(alert, { trigger: 'too warm', sensor: 'freezer', severity: 'critical', acknowledged: false });
    }
    const [state] = (await read(token, 1)).body.tile.sensors;
    assert.deepEqual([state.state, state.severity], ['firing', 'critical']);
    const [firing] = (await user.api.get(`/firings?sensor_id=${sensorId}`)).body.firings;
    await user.api.post(`/firings/${firing.id}/acknowledge`, { note: 'secret note' });
    const { tile } = (await read(token, 0)).body;
    assert.equal(tile.alerts[0].acknowledged, true);
    assert.ok(!JSON.stringify(tile).includes('secret note'));
  });

  it('ends at once when its link is revoked, and a new link is another one', async () => {
    const { id, token } = await publish([chartOf(await buildSensor(user))]);
    const again = await user.api.post(`/dashboards/${id}/public`);
    assert.deepEqual([again.status, again.body.dashboard.public], [201, token]);
    const both = await Promise.all([1, 2].map(() => user.api.post(`/dashboards/${id}/public`)));
    assert.deepEqual(
      both.map(({ body }) => body.dashboard.public),
      [token, token],
    );
    const revoked = await user.api.delete(`/dashboards/${id}/public`);
    assert.deepEqual([revoked.status, revoked.body.dashboard.public], [200, null]);
    const isGone = async (one: string) => {
      for (const path of [`/public/${one}`, `/public/${one}/data?tile=0`]) {
        const { status, body } = await platform.anonymous.get(path);
        assert.deepEqual([status, body], [404, { error: 'the dashboard does not exist', code: 'not_found' }]);
      }
    };
    await isGone(token);
    assert.equal((await user.api.delete(`/dashboards/${id}/public`)).status, 200, 'twice');
    const { public: other } = (await user.api.post(`/dashboards/${id}/public`)).body.dashboard;
    assert.notEqual(other, token);
    await isGone(token);
    assert.equal((await read(other)).status, 200);
    await user.api.delete(`/dashboards/${id}`);
    await isGone(other);
  });

  it('ends when its account is closed, before anything is deleted', async () => {
    const { token } = await publish([chartOf(await buildSensor(user))]);
    await platform.query('UPDATE users SET closed_ms = 1 WHERE id = ?', [user.id]);
    assert.equal((await platform.anonymous.get(`/public/${token}`)).status, 404);
    assert.equal((await read(token)).status, 404);
  });

  it('is found by its exact token, which is stored encrypted and never logged', async () => {
    const { id, token } = await publish([chartOf(await buildSensor(user))]);
    const swapped = token.replace(/[a-z]/i, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
    const [row] = await platform.query('SELECT * FROM dashboards WHERE id = ?', [id]);
    const wrong = [
      'x',
      '%00',
      '%25',
      `${token}x`,
      token.slice(1),
      swapped,
      row?.public_hash,
      row?.public_token,
      '1',
      id,
    ];
    for (const one of [...wrong, 'x'.repeat(8_000), "' OR 1=1 -- "]) {
      assert.equal((await platform.anonymous.get(`/public/${encodeURIComponent(one)}`)).status, 404, one);
    }
    assert.ok(!JSON.stringify(row).includes(token));
    const { logged } = await recordedLogs(platform, async () => {
      await platform.anonymous.get(`/public/${token}`);
      await read(token);
      await read(token, 7);
      await read(`${token}x`);
      await platform.anonymous.get(`/console/public/${token}`);
    });
    assert.ok(logged.length >= 4, 'requests are logged');
    assert.ok(!logged.join().includes(token));
  });

  it('is dead if the key of the platform was replaced', async () => {
    const { id, token } = await publish([chartOf(await buildSensor(user))]);
    await platform.query('UPDATE dashboards SET public_token = ? WHERE id = ?', ['x'.repeat(95), id]);
    assert.equal((await read(token)).status, 404);
    assert.equal((await user.api.get(`/dashboards/${id}`)).body.dashboard.public, null);
    assert.equal((await read((await user.api.post(`/dashboards/${id}/public`)).body.dashboard.public)).status, 200);
  });
});

describe('the readers of public dashboards', () => {
  const platform = usePlatform({ config: { TRUST_PROXY: '1', RATE_LIMIT_REQUESTS: '30' } });
  const owner = useUser(platform);

  it('share an allowance of the owner, from whatever addresses, apart from the requests of the owner', async () => {
    const id = await buildDashboard(owner, { tiles: [{ kind: 'alerts', ...PLACE }] });
    const { public: token } = (await owner.api.post(`/dashboards/${id}/public`)).body.dashboard;
    const statuses = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        apiClient(platform.url, { 'X-Forwarded-For': `192.0.2.${at}` }).get(`/public/${token}/data?tile=0`),
      ),
    );
    const count = (wanted: number) => statuses.filter(({ status }) => status === wanted).length;
    assert.ok(count(200) >= 30 && count(429) >= 8, JSON.stringify(statuses.map(({ status }) => status)));
    const refused = statuses.find(({ status }) => status === 429);
    assert.ok(Number(refused?.headers.get('retry-after')) > 0);
    assert.equal((await owner.api.get('/dashboards')).status, 200);
  });
});
