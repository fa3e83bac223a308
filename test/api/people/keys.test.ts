import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { apiClient } from '../../support/api-client';
import { buildKey, buildSensor, createKey, share } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUser, useUserPerTest } from '../../support/hooks';
import { recordedLogs } from '../../support/recorded-logs';
import { sentDuring } from '../../support/sent-statements';
import { subscribe } from '../../support/subscribe';
import { until } from '../../support/until';

const HOUR_MS = 3_600_000;

describe('keys', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const user = useUserPerTest(platform);
  const friend = useUser(platform);

  const bearing = (secret: string) => apiClient(platform.url, { Authorization: `Bearer ${secret}` });
  const statusOf = async (secret: string) => (await bearing(secret).get('/sensors')).status;
  const secondsFromNow = (hours: number) => (clock.now() + hours * HOUR_MS) / 1000;
  const put = (id: string, key: Record<string, unknown>) => user.api.put(`/keys/${id}`, { key });

  it('are created with a secret that is shown once and stored as its hash', async () => {
    const sensor = await buildSensor(user);
    const [name, expires] = ['south wall', secondsFromNow(1)];
    const given = { name, scopes: ['write', 'read', 'read'], sensors: [Number(sensor), sensor], expires };
    const { status, body, headers } = await user.api.post('/keys', { key: given });
    const { secret, ...shown } = body.key;
    assert.equal(status, 201);
    assert.equal(headers.get('location'), `${platform.url}/keys/${shown.id}`);
    assert.match(secret, /^key_[0-9A-Za-z]{43}$/);
    assert.deepEqual(Object.keys(body.key), [
      ...['id', 'name', 'scopes', 'sensors', 'created', 'expires', 'last_used', 'hint', 'secret'],
    ]);
    assert.deepEqual(shown, {
      id: shown.id,
      ...{ name, scopes: ['read', 'write'], sensors: [sensor], created: clock.now() / 1000, expires, last_used: null },
      hint: secret.slice(-4),
    });
    assert.deepEqual((await user.api.get(`/keys/${shown.id}`)).body, { key: shown });
    assert.deepEqual((await user.api.get('/keys?total=1')).body, { keys: [shown], total: 1 });
    const [row] = await platform.query('SELECT * FROM api_keys WHERE id = ?', [shown.id]);
    assert.ok(!JSON.stringify(row).includes(secret.slice(4, 20)));
    assert.equal(row?.secret_hash, createHash('sha256').update(secret).digest('hex'));
  });

  it('need a name and at least one scope that exists, no end in the past, and sensors that one can see', async () => {
    const others = await buildSensor(friend);
    const valid = { name: 'a key', scopes: ['read'] };
    const refusals: [Record<string, unknown>, number, string][] = [
      [{ ...valid, name: undefined }, 400, 'key.name'],
      [{ ...valid, name: '' }, 400, 'key.name'],
      [{ ...valid, name: 'x'.repeat(256) }, 400, 'key.name'],
      [{ name: 'a key' }, 400, 'key.scopes'],
      [{ ...valid, scopes: [] }, 400, 'key.scopes'],
      [{ ...valid, scopes: ['everything'] }, 400, 'key.scopes'],
      [{ ...valid, expires: secondsFromNow(-1) }, 400, 'key.expires'],
      [{ ...valid, expires: -1 }, 400, 'key.expires'],
      [{ ...valid, expires: 'soon' }, 400, 'key.expires'],
      [{ ...valid, sensors: ['x'] }, 400, 'key.sensors[0]'],
      [{ ...valid, sensors: [await buildSensor(user), others] }, 404, 'key.sensors[1]'],
      [{ ...valid, sensors: ['99999999'] }, 404, 'key.sensors[0]'],
    ];
    for (const [key, status, field] of refusals) {
      const response = await user.api.post('/keys', { key });
      assert.deepEqual(
        [response.status, Object.keys(response.body.fields ?? {}).some((one) => one.startsWith(field))],
        [status, true],
        JSON.stringify([key, response.body]),
      );
    }
    await share(friend, others, user);
    assert.equal((await user.api.post('/keys', { key: { ...valid, sensors: [others] } })).status, 201);
    const unlimited = await user.api.post('/keys', { key: { ...valid, sensors: [], expires: 0 } });
    assert.deepEqual([unlimited.body.key.sensors, unlimited.body.key.expires], [[], null]);
    assert.equal((await user.api.post('/keys', valid)).status, 201, 'without the wrapper');
  });

  it('can be renamed, limited and given an end, and freed of both', async () => {
    const sensor = await buildSensor(user);
    const { id, secret } = await createKey(user);
    const limited = (await put(id, { name: 'new', sensors: [sensor], expires: secondsFromNow(1), scopes: ['read'] }))
      .body;
    assert.deepEqual(
      [limited.key.name, limited.key.sensors, limited.key.expires],
      ['new', [sensor], secondsFromNow(1)],
    );
    assert.deepEqual(limited.key.scopes, ['read', 'data:write', 'write'], 'the scopes stay');
    assert.equal((await bearing(secret).get('/triggers')).status, 403);
    const same = (await put(id, { sensors: null, expires: '' })).body;
    assert.deepEqual(same, { key: { ...limited.key, last_used: same.key.last_used } }, 'neutral values change nothing');
    const freed = (await put(id, { sensors: [], expires: 0 })).body.key;
    assert.deepEqual([freed.name, freed.sensors, freed.expires], ['new', [], null]);
    assert.equal((await bearing(secret).get('/triggers')).status, 200);
    for (const [key, status] of [
      [{ expires: secondsFromNow(-1) }, 400],
      [{ sensors: [await buildSensor(friend)] }, 404],
      [{ name: '' }, 200],
    ] as const) {
      assert.equal((await put(id, key)).status, status, JSON.stringify(key));
    }
    assert.deepEqual((await user.api.put(`/keys/${id}`, { key: freed })).body, { key: freed }, 'the record sent back');
  });

  it('end when they expire, and work again with a later end', async () => {
    const { id, secret } = await createKey(user, { expires: secondsFromNow(1) });
    assert.equal(await statusOf(secret), 200);
    clock.advance(HOUR_MS);
    assert.equal(await statusOf(secret), 401);
    assert.equal((await user.api.get('/keys')).body.keys.length, 1);
    await put(id, { expires: secondsFromNow(1) });
    assert.equal(await statusOf(secret), 200);
  });

  it('are refused with a challenge when they are unknown, expired, deleted or none', async () => {
    const { id, secret } = await createKey(user);
    await user.api.delete(`/keys/${id}`);
    for (const sent of [secret, `key_${'x'.repeat(43)}`, 'key_short', user.session, 'x'.repeat(5000), '']) {
      const { status, body, headers } = await bearing(sent).get('/sensors');
      assert.deepEqual([status, body.code], [401, 'invalid_token'], sent);
      assert.equal(headers.get('www-authenticate'), 'Bearer error="invalid_token"');
      assert.ok(sent === '' || !JSON.stringify(body).includes(sent));
    }
  });

  it('are a hundred at most', async () => {
    const fields = { key: { name: 'a key', scopes: ['read'] } };
    const many = await Promise.all(Array.from({ length: 104 }, () => user.api.post('/keys', fields)));
    const refused = many.filter(({ status }) => status !== 201);
    assert.deepEqual(
      refused.map(({ status, body }) => [status, body.code]),
      Array(4).fill([409, 'conflict']),
    );
    assert.equal((await user.api.get('/keys?total=1')).body.total, 100);
    await user.api.delete(`/keys/${many.find(({ status }) => status === 201)?.body.key.id}`);
    assert.equal((await user.api.post('/keys', fields)).status, 201);
  });

  it('of other users do not exist', async () => {
    const id = await buildKey(friend);
    for (const response of [
      await user.api.get(`/keys/${id}`),
      await put(id, { name: 'mine' }),
      await user.api.delete(`/keys/${id}`),
    ]) {
      assert.equal(response.status, 404);
    }
    assert.equal((await friend.api.get(`/keys/${id}`)).body.key.name, 'a key');
  });

  it('record their latest use, accurate to a minute, with one statement a minute', async () => {
    const { id, secret } = await createKey(user);
    const lastUsed = async () => (await user.api.get(`/keys/${id}`)).body.key.last_used;
    const startMs = clock.now();
    const notes = async (work: () => Promise<unknown>) =>
      (await sentDuring(work)).filter((sql) => sql.startsWith('UPDATE api_keys')).length;
    assert.equal(await lastUsed(), null);
    const first = await notes(async () => {
      await Promise.all(Array.from({ length: 20 }, () => statusOf(secret)));
      await until('the use is noted', async () => (await lastUsed()) === startMs / 1000);
    });
    assert.equal(first, 1);
    clock.advance(59_999);
    assert.equal(await notes(() => statusOf(secret)), 0);
    clock.advance(1);
    await statusOf(secret);
    await until('it is noted again', async () => (await lastUsed()) === startMs / 1000 + 60);
  });

  it('of simultaneous requests are looked up by one query', async () => {
    const secrets = (await Promise.all([createKey(user), createKey(user), createKey(friend)])).map((key) => key.secret);
    const { bearerTokens } = platform.container.services;
    let found: unknown[] = [];
    const sent = await sentDuring(async () => {
      found = await Promise.all([...secrets, `key_${'x'.repeat(43)}`, 'none'].map((one) => bearerTokens.find(one)));
    });
    assert.equal(sent.filter((sql) => sql.includes('FROM api_keys')).length, 1);
    const names = found.map((identity) => Object(identity).username ?? null);
    assert.deepEqual(names, [user.username, user.username, friend.username, null, null]);
  });

  it('outlive a new password, and end with the account', async () => {
    const { secret } = await createKey(user);
    const passwords = { current_password: user.password, new_password: 'f'.repeat(32) };
    assert.equal((await user.api.post('/change_password', passwords)).status, 200);
    assert.equal(await statusOf(secret), 200);
    assert.equal((await user.api.delete(`/users/${user.id}`)).status, 200);
    assert.equal(await statusOf(secret), 401);
  });

  it('are in no log, error or metric, in no table and nowhere in Redis', async () => {
    const sensor = await buildSensor(user);
    await subscribe(user, 'http://127.0.0.1:9/', 'add_key', { text: 'key $subject_id' });
    const { result: secret, logged } = await recordedLogs(platform, async () => {
      const { secret } = await createKey(user);
      const api = bearing(secret);
      await api.get('/nothing');
      await api.post(`/sensors/${sensor}/data`, { value: 1 });
      await api.post(`/sensors/${sensor}/data`, '{"value":');
      await platform.anonymous.get(`/sensors?API_KEY=${secret}`);
      await platform.anonymous.get(`/sensors?API_KEY=${secret}x`);
      await platform.anonymous.post('/sensors/find', { API_KEY: secret });
      await user.api.get(`/sensors?API_KEY=${secret}`);
      await platform.settle();
      return secret;
    });
    assert.ok(logged.length >= 8);
    const metrics = await platform.anonymous.get('/metrics');
    const everywhere = [...logged, metrics.body, ...(await inRedis()), ...(await inTables())].join('\n');
    assert.match(everywhere, /"text":"key \d+"/, 'the delivery of the event is there');
    assert.ok(!everywhere.includes(secret.slice(4)));
  });

  const inRedis = async () => {
    const { redis, config } = platform.container;
    const keys = await redis.keys(`{${config.redisPrefix}}:*`);
    const values = keys.map(async (key) =>
      (await redis.type(key)) === 'hash' ? JSON.stringify(await redis.hgetall(key)) : String(await redis.dump(key)),
    );
    return [...keys, ...(await Promise.all(values))];
  };

  const inTables = async () => {
    const tables = await platform.query('SHOW TABLES');
    const rows = tables.map((table) => platform.query(`SELECT * FROM ${Object.values(table)}`));
    return (await Promise.all(rows)).map((all) => JSON.stringify(all));
  };
});
