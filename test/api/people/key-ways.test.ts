import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { apiClient } from '../../support/api-client';
import { buildKey, buildSensor, createKey, share } from '../../support/factories';
import { useCuttable, usePlatform, useUser } from '../../support/hooks';
import { startApiElsewhere } from '../../support/other-process';
import { rawRequest } from '../../support/raw-request';
import { until } from '../../support/until';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const LARGE = { data: Array.from({ length: 4_000 }, (_, date) => ({ value: 1, date })) };

describe('a key', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  const friend = useUser(platform);
  let sensor: string;
  let secret: string;
  let path: string;

  before(async () => {
    sensor = await buildSensor(user);
    secret = (await createKey(user)).secret;
    path = `/sensors/${sensor}/data`;
  });

  const bearer = (value = secret) => ({ Authorization: `Bearer ${value}` });
  const statusAndCode = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

  it('is taken from the header, in any letter case of its scheme, and as a parameter of a query or a body', async () => {
    const { anonymous } = platform;
    const sensorsOf = async (response: Promise<{ body: { sensors: { id: string }[] } }>) =>
      (await response).body.sensors.map(({ id }) => id);
    for (const response of [
      anonymous.get('/sensors', bearer()),
      anonymous.get('/sensors', { authorization: `bearer  ${secret} ` }),
      anonymous.get(`/sensors?API_KEY=${secret}`),
      anonymous.get(`/sensors.json?per_page=5&API%5FKEY=${secret}`),
      anonymous.post('/sensors/find', { filter: {}, API_KEY: secret }),
      anonymous.post('/sensors/find', `API_KEY=${secret}&filter[x]=1`, FORM),
    ]) {
      assert.deepEqual(await sensorsOf(response), [sensor]);
    }
    for (const response of [
      anonymous.post(path, { value: 1 }, bearer()),
      anonymous.post(path, { value: 1, API_KEY: secret }),
      anonymous.post(path, { data: [{ value: 1 }], API_KEY: secret }),
      anonymous.post(`${path}?API_KEY=${secret}`, { value: 1 }),
      anonymous.post(`${path}?API_KEY=${secret}&value=5&date=1`),
      anonymous.post(path, `value=1&API_KEY=${secret}`, FORM),
      anonymous.post(path, LARGE, bearer()),
      anonymous.post(`${path}?API_KEY=${secret}`, LARGE),
    ]) {
      assert.equal((await response).status, 201);
    }
    const body = gzipSync('{"value":1}');
    const zipped = await rawRequest(platform.url, path, {
      ...{ method: 'POST', chunked: true, body },
      headers: { ...bearer(), 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' },
    });
    assert.equal(zipped.status, 201);
    const inLargeBody = await anonymous.post(path, { ...LARGE, API_KEY: secret });
    assert.deepEqual(statusAndCode(inLargeBody), [413, 'too_large'], 'nobody is known until the body is read');
  });

  it('is refused next to a session in the header or as a parameter, or next to another key', async () => {
    const session = { 'X-SESSION_ID': user.session };
    for (const [at, body, headers] of [
      ['/sensors', undefined, { ...bearer(), ...session }],
      ['/sensors', undefined, { ...bearer('key_unknown'), ...session }],
      [`/sensors?session_id=${user.session}`, undefined, bearer()],
      [`/sensors?session_id=x&API_KEY=${secret}`, undefined, {}],
      [`/sensors?API_KEY=${secret}`, undefined, session],
      [`/sensors?API_KEY=${secret}`, undefined, bearer()],
      [path, { value: 1 }, { ...bearer(), ...session }],
      [path, { value: 1, API_KEY: secret }, session],
      [path, { value: 1, API_KEY: ['x'] }, session],
      [path, { value: 1, API_KEY: secret }, bearer()],
      [path, { value: 1, session_id: user.session }, bearer()],
      [`${path}?session_id=${user.session}`, { value: 1 }, bearer()],
    ] as const) {
      const { get, post } = platform.anonymous;
      const response = body ? await post(at, body, headers) : await get(at, headers);
      assert.deepEqual(statusAndCode(response), [400, 'invalid_input'], `${at} ${JSON.stringify(headers)}`);
      assert.ok(!JSON.stringify(response.body).includes(secret));
    }
  });

  it('counts and not the cookie next to it, whatever page sends it', async () => {
    const cookie = { Cookie: `session_id=${friend.session}` };
    const who = await platform.anonymous.get('/users/current', { ...bearer(), ...cookie });
    assert.equal(who.body.user.id, user.id);
    const foreign = { Origin: 'https://pages.example.org', 'Sec-Fetch-Site': 'cross-site' };
    const uploaded = await platform.anonymous.post(path, { value: 1 }, { ...bearer(), ...cookie, ...foreign });
    assert.equal(uploaded.status, 201);
    const withBoth = await platform.anonymous.get('/users/current', { ...cookie, ...bearer('key_unknown') });
    assert.deepEqual(statusAndCode(withBoth), [401, 'invalid_token'], 'the cookie does not help out');
  });

  it('is not looked for in other schemes, nor in an empty parameter', async () => {
    for (const headers of [
      { Authorization: `Basic ${btoa(`x:${secret}`)}` },
      { Authorization: `Token ${secret}` },
      { Authorization: secret },
      { Authorization: '' },
      { 'X-API-Key': secret },
    ] as Record<string, string>[]) {
      const without = await platform.anonymous.get('/sensors', headers);
      assert.deepEqual(statusAndCode(without), [401, 'no_session'], JSON.stringify(headers));
      assert.match(without.body.error, /; send a key as Authorization: Bearer …$/);
      const stored = await platform.anonymous.post(path, { value: 1 }, headers);
      assert.deepEqual([stored.status, stored.body.error], [401, without.body.error]);
      const withSession = await user.api.get('/sensors?API_KEY=', headers);
      assert.equal(withSession.status, 200);
    }
    const { body } = await platform.anonymous.get('/sensors');
    assert.equal(body.error, 'a valid session is required', 'nothing was sent');
  });

  it('says which scope is missing', async () => {
    const { secret: reading } = await createKey(user, { scopes: ['read'] });
    const { status, body, headers } = await platform.anonymous.post(path, { value: 1 }, bearer(reading));
    assert.deepEqual(
      [status, body.code, body.error],
      [403, 'insufficient_scope', 'this requires the scope data:write'],
    );
    assert.equal(headers.get('www-authenticate'), 'Bearer error="insufficient_scope", scope="data:write"');
  });

  it('uploads to no sensor that is only shared with its user', async () => {
    const shared = await buildSensor(friend);
    await share(friend, shared, user);
    const key = await createKey(user, { scopes: ['data:write', 'read'], sensors: [shared, sensor] });
    const api = apiClient(platform.url, bearer(key.secret));
    assert.deepEqual(statusAndCode(await api.post(`/sensors/${shared}/data`, { value: 1 })), [403, 'forbidden']);
    assert.equal((await api.get(`/sensors/${shared}/data`)).status, 200);
    assert.equal((await api.post(path, { value: 1 })).status, 201);
    await friend.api.delete(`/sensors/${shared}/users/${user.id}`);
    assert.equal((await api.get(`/sensors/${shared}/data`)).status, 404, 'it sees what its user sees');
  });

  it('with sensors is not shown whom they are shared with', async () => {
    const shared = await buildSensor(user);
    await share(user, shared, friend);
    const usersSeenBy = async (fields: object) => {
      const key = await createKey(user, { scopes: ['read'], ...fields });
      const { body } = await apiClient(platform.url, bearer(key.secret)).get('/sensors?shared=1');
      return body.sensors.map(({ id, users }: { id: string; users?: { id: string }[] }) => [id, users?.[0]?.id]);
    };
    assert.deepEqual(await usersSeenBy({}), [[shared, friend.id]]);
    assert.deepEqual(await usersSeenBy({ sensors: [shared] }), [[shared, undefined]]);
  });

  it('with sensors uploads to several of them at once, and to no other', async () => {
    const [other, more] = [await buildSensor(user), await buildSensor(user)];
    const key = await createKey(user, { scopes: ['data:write', 'read'], sensors: [sensor, more] });
    const api = apiClient(platform.url, bearer(key.secret));
    const upload = (...ids: string[]) =>
      api.post('/sensors/data', { sensors: ids.map((id) => ({ sensor_id: id, data: [{ value: 1 }] })) });
    assert.equal((await upload(sensor, more)).status, 201);
    const refused = await upload(sensor, other);
    assert.deepEqual(
      [refused.status, refused.body.fields],
      [404, { 'sensors[1].sensor_id': 'names a sensor that does not exist' }],
    );
    const read = (ids: string) => api.get(`/sensors/data?${ids}`);
    assert.equal((await read(`sensor_id[]=${sensor}&sensor_id[]=${more}`)).status, 200);
    assert.equal((await read(`sensor_id[]=${sensor}&sensor_id[]=${other}`)).status, 404);
  });
});

describe('requests with keys', () => {
  const platform = usePlatform({ config: { RATE_LIMIT_REQUESTS: '5' } });
  const user = useUser(platform);

  it('count for the user, and with an unknown key for the address', async () => {
    const { secret } = await createKey(user);
    const bearing = (value: string) => apiClient(platform.url, { Authorization: `Bearer ${value}` });
    const remaining = async (api: ReturnType<typeof bearing>) =>
      Number((await api.get('/sensors')).headers.get('ratelimit-remaining'));
    const before = await remaining(user.api);
    assert.equal(await remaining(bearing(secret)), before - 1);
    const unknown = bearing(`key_${'x'.repeat(43)}`);
    const statuses: number[] = [];
    for (let index = 0; index < 7; index += 1) statuses.push((await unknown.get('/sensors')).status);
    assert.deepEqual(new Set(statuses), new Set([401, 429]));
    assert.equal(statuses.at(-1), 429);
    assert.equal((await bearing(secret).get('/sensors')).status, 200);
  });
});

describe('the end of a key', () => {
  const platform = usePlatform();
  const redis = useCuttable('REDIS_URL');
  const user = useUser(platform);

  it('takes effect at once in another API process, and so does that of the account', async () => {
    const { child, url } = await startApiElsewhere(platform, redis.url);
    try {
      const other = apiClient(url);
      await until('the other process is ready', () =>
        other.get('/readyz').then(
          (ready) => ready.status === 200,
          () => false,
        ),
      );
      const sensor = await buildSensor(user);
      const upload = async (secret: string) => {
        const response = await other.post(
          `/sensors/${sensor}/data`,
          { value: 1 },
          { Authorization: `Bearer ${secret}` },
        );
        return response.status;
      };
      for (let round = 0; round < 10; round += 1) {
        const { id, secret } = await createKey(user);
        assert.equal(await upload(secret), 201);
        assert.equal((await user.api.put(`/keys/${id}`, { key: { sensors: [await buildSensor(user)] } })).status, 200);
        assert.equal(await upload(secret), 404);
        assert.equal((await user.api.delete(`/keys/${id}`)).status, 200);
        assert.equal(await upload(secret), 401);
      }
      const { secret } = await createKey(user);
      assert.equal(await upload(secret), 201);
      await buildKey(user);
      await user.api.delete(`/users/${user.id}`);
      assert.equal(await upload(secret), 401);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
