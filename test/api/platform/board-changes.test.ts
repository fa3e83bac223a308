import assert from 'node:assert/strict';
import { useCuttable, usePlatform } from '../../support/hooks';

const LOGIN = `Basic ${Buffer.from('operator:board-password').toString('base64')}`;

describe('changes on the queue board', () => {
  const redis = useCuttable('REDIS_URL');
  const platform = usePlatform(() => ({
    config: { REDIS_URL: redis.url, BOARD_VIEWER: 'looker', BOARD_VIEWER_PASSWORD: 'looks-only' },
  }));

  const send = async (method: string, path: string, headers: Record<string, string> = {}, body?: string) => {
    const response = await fetch(`${platform.url}/admin/queues/api/${path}`, {
      method,
      headers: { Authorization: LOGIN, ...headers },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(10_000),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : JSON.parse(text), headers: response.headers };
  };
  const JSON_TYPE = { 'Content-Type': 'application/json' };
  const JOB = JSON.stringify({ name: 'delivery', data: { deliveryId: 1 }, options: {} });
  const counts = () => platform.container.queues.deliveries.getJobCounts();

  it('are refused from pages of other sites, whatever their media type', async () => {
    const before = await counts();
    for (const headers of [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ] as Record<string, string>[]) {
      for (const type of ['text/plain', 'application/json', 'application/x-www-form-urlencoded']) {
        const response = await send('POST', 'queues/deliveries/add', { ...headers, 'Content-Type': type }, JOB);
        assert.deepEqual([response.status, response.body.code], [403, 'foreign_page']);
      }
      assert.equal((await send('PUT', 'queues/deliveries/pause', headers)).status, 403);
    }
    assert.deepEqual(await counts(), before);
    assert.equal(await platform.container.queues.deliveries.isPaused(), false);
  });

  it('are refused with the login of those who may only look, who see everything else', async () => {
    const looker = { Authorization: `Basic ${Buffer.from('looker:looks-only').toString('base64')}` };
    const changes: [string, string, string?][] = [
      ['PUT', 'queues/deliveries/pause'],
      ['PUT', 'queues/deliveries/retry/failed'],
      ['PUT', 'queues/deliveries/1/promote'],
      ['PUT', 'queues/deliveries/clean/failed'],
      ['POST', 'queues/deliveries/add', JOB],
      ['DELETE', 'queues/deliveries'],
    ];
    for (const [method, path, body] of changes) {
      const response = await send(method, path, { ...looker, ...(body ? JSON_TYPE : {}) }, body);
      assert.deepEqual([response.status, response.body.code], [403, 'forbidden'], path);
      assert.match(response.body.error, /may look at the board only/);
    }
    assert.equal(await platform.container.queues.deliveries.isPaused(), false);
    const modes = async (headers: Record<string, string>) => {
      const { status, body } = await send('GET', 'queues', headers);
      assert.equal(status, 200);
      return body.queues.map(({ readOnlyMode }: { readOnlyMode: boolean }) => readOnlyMode);
    };
    assert.deepEqual([...new Set(await modes(looker))], [true]);
    assert.deepEqual([...new Set(await modes({}))], [false]);
    const mixed = { Authorization: `Basic ${Buffer.from('looker:board-password').toString('base64')}` };
    assert.equal((await send('GET', 'queues', mixed)).status, 401);
  });

  it('are accepted as JSON only', async () => {
    for (const type of [
      'text/plain',
      'text/plain;charset=UTF-8',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
    ]) {
      const response = await send('POST', 'queues/deliveries/add', { 'Content-Type': type }, JOB);
      assert.deepEqual([response.status, response.body.code], [415, 'unreadable_type'], type);
    }
    assert.equal((await send('POST', 'queues/deliveries/add')).status, 415);
    assert.equal(
      (await send('PATCH', 'queues/deliveries/1/priority', { 'Content-Type': 'text/json' }, '{}')).status,
      415,
    );
  });

  it('are accepted from the page of the board', async () => {
    const own = { Origin: platform.url, 'Sec-Fetch-Site': 'same-origin' };
    assert.equal((await send('PUT', 'queues/deliveries/pause', own)).status, 200);
    assert.equal(await platform.container.queues.deliveries.isPaused(), true);
    assert.equal((await send('PUT', 'queues/deliveries/resume', own)).status, 200);
    assert.equal(await platform.container.queues.deliveries.isPaused(), false);
  });

  it('are refused with an explanation when they would have no lasting effect or add a payload', async () => {
    const before = await counts();
    const scheduler = 'queues/schedule/job-schedulers/reconcile';
    for (const [method, path, body] of [
      ['POST', 'queues/deliveries/add', JOB],
      ['PATCH', 'queues/deliveries/1/update-data', '{"jobData":{"deliveryId":{"id":1}}}'],
      ['PATCH', 'queues/deliveries/1/delay', '{"runAt":1}'],
      ['PATCH', 'queues/deliveries/1/priority', '{"priority":1}'],
      ['PUT', 'queues/deliveries/concurrency', '{"concurrency":1}'],
      ['PUT', 'queues/deliveries/rate-limit', '{"max":1,"duration":1}'],
      ['PUT', 'queues/deliveries/obliterate', '{}'],
      ['PUT', 'queues/deliveries/retry/completed', '{}'],
      ['PUT', `${scheduler}/remove`, '{}'],
      ['PUT', `${scheduler}/run`, '{}'],
      ['PATCH', scheduler, '{"every":1}'],
    ] as const) {
      const response = await send(method, path, JSON_TYPE, body);
      assert.equal(response.status, 403, path);
      assert.match(response.body.message, /pauses and resumes queues/);
    }
    assert.deepEqual(await counts(), before);
  });

  it('fail immediately while Redis is unreachable, as do reads, and leave no commands behind', async () => {
    assert.equal((await send('GET', 'queues')).status, 200);
    await redis.cut();
    for (let index = 0; index < 20; index += 1) {
      const response = await send('GET', 'queues?activeQueue=deliveries');
      assert.deepEqual([response.status, response.body.code], [503, 'unavailable']);
      assert.ok(response.headers.get('retry-after'));
    }
    await redis.restore();
    await platform.container.redis.ping();
    assert.equal((await send('GET', 'queues')).status, 200);
  });
});
