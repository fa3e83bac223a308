import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { ApiError, type Client, createClient, passwordDigest } from '../../client/src';
import { buildSensor } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';

const PASSWORD = 'correct horse';

describe('the typed client', () => {
  const platform = usePlatform();
  const ada = useUser(platform, { password: createHash('md5').update(PASSWORD).digest('hex') });
  let client: Client;

  before(async () => {
    client = createClient({ baseUrl: platform.url });
    await client.login(ada.username, PASSWORD);
  });

  it('logs in with a plain password and sends the session', async () => {
    assert.equal(passwordDigest('ünïcode'), createHash('md5').update('ünïcode').digest('hex'));
    const { user } = await client.get('/users/current');
    assert.equal(user.username, ada.username);
    const { sensor } = await client.post('/sensors', { body: { sensor: { name: 'greenhouse' } } });
    assert.equal(sensor.name, 'greenhouse');
    const path = { id: sensor.id };
    const changed = await client.put('/sensors/{id}', { params: { path }, body: { sensor: { name: 'shed' } } });
    assert.equal(changed.sensor.name, 'shed');
    await client.delete('/sensors/{id}', { params: { path } });
    await assert.rejects(client.get('/sensors/{id}', { params: { path } }), (error: unknown) => {
      assert.ok(error instanceof ApiError);
      assert.deepEqual([error.status, error.code, error.message], [404, 'not_found', 'the sensor does not exist']);
      return true;
    });
  });

  it('sends a key, and none of its session', async () => {
    const { secret } = await client.createKey({ name: 'a device', scopes: ['read'] });
    const device = createClient({ baseUrl: platform.url, key: secret });
    assert.equal((await device.get('/users/current')).user.id, ada.id);
    await assert.rejects(device.post('/sensors', { body: { sensor: { name: 'x' } } }), { code: 'insufficient_scope' });
    await assert.rejects(device.get('/keys'), { status: 403 });
  });

  it('reads all pages of a list, and only as many as are needed', async () => {
    for (let index = 0; index < 3; index += 1) await buildSensor(ada, { name: `sensor ${index}` });
    const names: string[] = [];
    for await (const sensor of client.all('/sensors')) if ('name' in sensor) names.push(sensor.name);
    assert.deepEqual(names, ['sensor 0', 'sensor 1', 'sensor 2']);
    let requests = 0;
    const counting = createClient({
      baseUrl: platform.url,
      session: client.session,
      fetch: (request) => {
        requests += 1;
        return fetch(request);
      },
    });
    for await (const _ of counting.all('/sensors', { params: { query: { owned: true } } })) break;
    assert.equal(requests, 1);
  });

  it('uploads points in batches, and reads them all by date', async () => {
    const id = await buildSensor(ada);
    const points = function* () {
      for (let index = 0; index < 2_500; index += 1) yield { value: index, date: 1_795_229_544 + index / 1000 };
    };
    assert.equal(await client.upload(id, points()), 2_500);
    assert.equal(await client.upload(id, points(), { size: 2_500 }), 2_500, 'again');
    const values: number[] = [];
    for await (const { value } of client.points(id, { from: 1_795_229_544.1 })) values.push(Number(value));
    assert.deepEqual(
      values,
      Array.from({ length: 2_400 }, (_, index) => index + 100),
    );
    assert.equal(await client.upload(id, [{ value: 1 }, { value: 2 }]), 2, 'two points without a date');
  });

  for (const atOnce of [2, 20, 200]) {
    it(`stores each point without a date, ${atOnce} uploads at once`, async () => {
      const id = await buildSensor(ada);
      const left = Array.from({ length: 200 }, (_, value) => value);
      const sendNext = async () => {
        for (let value = left.pop(); value !== undefined; value = left.pop())
          assert.equal(await client.upload(id, [{ value }]), 1);
      };
      await Promise.all(Array.from({ length: atOnce }, sendNext));
      const values: number[] = [];
      for await (const { value } of client.points(id)) values.push(Number(value));
      assert.deepEqual(
        values.sort((a, b) => a - b),
        Array.from({ length: 200 }, (_, value) => value),
      );
    });
  }

  it('tries again what may be tried again', async () => {
    const answers: { status: number; method: string }[] = [];
    const refusing = (statuses: number[]) =>
      createClient({
        baseUrl: platform.url,
        session: client.session,
        fetch: async (request) => {
          const status = statuses.shift();
          const response = status
            ? new Response('{"error":"later","code":"unavailable"}', { status, headers: { 'Retry-After': '0.01' } })
            : await fetch(request);
          answers.push({ status: response.status, method: request.method });
          return response;
        },
      });
    await refusing([503, 429]).get('/users/current');
    await refusing([429]).post('/sensors', { body: { sensor: { name: 'once' } } });
    const id = await buildSensor(ada);
    await refusing([503, 503]).upload(id, [{ value: 1, date: 5 }]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [503, 429, 200, 429, 201, 503, 503, 201],
    );
    const unsure = refusing([503]).post('/sensors', { body: { sensor: { name: 'twice' } } });
    await assert.rejects(unsure, { status: 503, retryAfter: 0.01, message: 'later' });
    await assert.rejects(refusing([503, 503, 503, 503, 503]).get('/users/current'), { status: 503 });
  });

  it('gives up at once when its caller does', async () => {
    const signal = AbortSignal.timeout(50);
    const away = createClient({ baseUrl: 'http://127.0.0.1:9', tries: 100 });
    await assert.rejects(away.get('/users/current', { signal }));
    assert.ok(signal.aborted);
  });

  it('logs out', async () => {
    const other = createClient({ baseUrl: platform.url });
    await other.login(ada.username, PASSWORD);
    await other.logout();
    assert.equal(other.session, undefined);
    await assert.rejects(other.get('/users/current'), { status: 401 });
  });
});
