import assert from 'node:assert/strict';

import { buildSensor } from '../../support/factories';
import { useCuttable, usePlatform, useUser } from '../../support/hooks';
import { until } from '../../support/until';

describe('while MySQL or Redis is unreachable', () => {
  const mysql = useCuttable('MYSQL_URL');
  const redis = useCuttable('REDIS_URL');
  const platform = usePlatform(() => ({
    config: { MYSQL_URL: mysql.url, REDIS_URL: redis.url, RATE_LIMIT_REFUSED_LOGINS: '10' },
  }));
  const user = useUser(platform);
  let sensorId: string;

  before(async () => {
    sensorId = await buildSensor(user);
  });

  const upload = (value: number) => user.api.post(`/sensors/${sensorId}/data`, { value, date: value });
  const login = () => platform.anonymous.post('/login', { username: user.username, password: user.password });
  const stored = async () => (await user.api.get(`/sensors/${sensorId}/data`)).body.data.length;

  it('every operation without MySQL responds with 503 and Retry-After, and works again afterwards', async () => {
    await mysql.cut();
    const responses = [
      await login(),
      await user.api.get('/sensors'),
      await user.api.put(`/sensors/${sensorId}`, { sensor: { name: 'new' } }),
      await upload(1),
      await user.api.delete(`/sensors/${sensorId}`),
    ];
    for (const response of responses) {
      assert.deepEqual([response.status, response.body.code], [503, 'unavailable']);
      assert.match(response.headers.get('retry-after') ?? '', /^\d+$/);
      assert.ok(response.headers.get('x-request-id'));
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

  it('a request in progress when MySQL disappears responds with 503 and leaves nothing half done', async () => {
    const waiting = Array.from({ length: 20 }, (_, index) => upload(100 + index));
    await mysql.cut();
    const statuses = (await Promise.all(waiting)).map((response) => response.status);
    await mysql.restore();
    for (const status of statuses) assert.ok(status === 201 || status === 503, String(status));
    assert.ok((await stored()) >= 1 + statuses.filter((status) => status === 201).length);
  });

  it('uploads and reads work without Redis, and nobody can guess passwords', async () => {
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

  it('a frozen Redis connection delays no upload for long and is replaced', async () => {
    redis.freeze();
    assert.equal((await upload(3)).status, 201);
    assert.equal((await login()).status, 503);
    await until('Redis is used over a new connection', async () => (await login()).status === 200);
  });
});
