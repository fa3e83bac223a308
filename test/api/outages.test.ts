import assert from 'node:assert/strict';
import { type Cuttable, startCuttable } from '../support/cuttable';
import { type Platform, startPlatform, type TestUser } from '../support/platform';
import { until } from '../support/until';

describe('while MySQL or Redis is away', () => {
  let mysql: Cuttable;
  let redis: Cuttable;
  let platform: Platform;
  let user: TestUser;
  let sensorId: string;

  before(async () => {
    mysql = await startCuttable(process.env.MYSQL_URL ?? '');
    redis = await startCuttable(process.env.REDIS_URL ?? '');
    const config = { MYSQL_URL: mysql.url, REDIS_URL: redis.url, RATE_LIMIT_REFUSED_LOGINS: '10' };
    platform = await startPlatform({ config });
    user = await platform.user();
    sensorId = (await user.api.post('/sensors', { sensor: { name: 'lamp' } })).body.sensor.id;
  });
  after(async () => {
    await platform.close();
    await Promise.all([mysql.close(), redis.close()]);
  });

  const upload = (value: number) => user.api.post(`/sensors/${sensorId}/data`, { value, date: value });
  const login = () => platform.anonymous.post('/login', { username: user.username, password: user.password });
  const stored = async () => (await user.api.get(`/sensors/${sensorId}/data`)).body.data.length;

  it('without MySQL every operation answers 503 with Retry-After, and works again once it is back', async () => {
    await mysql.cut();
    const answers = [
      await login(),
      await user.api.get('/sensors'),
      await user.api.put(`/sensors/${sensorId}`, { sensor: { name: 'new' } }),
      await upload(1),
      await user.api.delete(`/sensors/${sensorId}`),
    ];
    for (const answer of answers) {
      assert.deepEqual([answer.status, answer.body.code], [503, 'unavailable']);
      assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
      assert.ok(answer.headers.get('x-request-id'));
    }
    const ready = await platform.anonymous.get('/readyz');
    assert.deepEqual([ready.status, ready.body.mysql, ready.body.redis], [503, false, true]);
    assert.ok(ready.headers.get('retry-after'));
    assert.equal((await platform.anonymous.get('/healthz')).status, 200);
    await mysql.restore();
    assert.equal((await login()).status, 200);
    assert.equal((await upload(1)).status, 201);
    assert.equal(await stored(), 1);
  });

  it('a request that is under way when MySQL goes answers 503 and leaves nothing half done', async () => {
    const waiting = Array.from({ length: 20 }, (_, index) => upload(100 + index));
    await mysql.cut();
    const statuses = (await Promise.all(waiting)).map((answer) => answer.status);
    await mysql.restore();
    for (const status of statuses) assert.ok(status === 201 || status === 503, String(status));
    assert.ok((await stored()) >= 1 + statuses.filter((status) => status === 201).length);
  });

  it('without Redis uploads and reads go on, and nobody can guess passwords', async () => {
    const before = await stored();
    await redis.cut();
    const refused = await login();
    assert.deepEqual([refused.status, refused.body.code], [503, 'unavailable']);
    assert.ok(refused.headers.get('retry-after'));
    assert.equal((await upload(2)).status, 201);
    assert.equal(await stored(), before + 1);
    assert.deepEqual((await platform.anonymous.get('/readyz')).body, {
      status: 'not ready',
      mysql: true,
      migrations: true,
      redis: false,
    });
    await redis.restore();
    await platform.container.redis.ping();
    assert.equal((await login()).status, 200);
  });

  it('a Redis that has vanished holds no upload up for long, and is asked anew', async () => {
    redis.inactivity();
    assert.equal((await upload(3)).status, 201);
    assert.equal((await login()).status, 503);
    await until('Redis is asked over a new connection', async () => (await login()).status === 200, 20_000);
  });
});
