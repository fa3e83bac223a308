import assert from 'node:assert/strict';
import { apiClient } from '../support/api-client';
import { type Cuttable, startCuttable } from '../support/cuttable';
import { type Platform, startPlatform } from '../support/platform';

const LIMIT = 20;

describe('the limit of requests', () => {
  let redis: Cuttable;
  let platform: Platform;

  before(async () => {
    redis = await startCuttable(process.env.REDIS_URL ?? '');
    const config = { RATE_LIMIT_REQUESTS: String(LIMIT), TRUST_PROXY: '1', REDIS_URL: redis.url };
    platform = await startPlatform({ config });
  });
  after(async () => {
    await platform.close();
    await redis.close();
  });

  const from = (address: string, session?: string) =>
    apiClient(platform.url, { 'X-Forwarded-For': address, ...(session ? { 'X-SESSION_ID': session } : {}) });
  const remaining = (headers: Headers) => Number(headers.get('ratelimit-remaining'));

  it('is told with every answer, good or bad', async () => {
    const { api } = await platform.user();
    const [first, second] = [await api.get('/sensors'), await api.get('/sensors/0')];
    assert.deepEqual([first.status, second.status], [200, 404]);
    assert.equal(first.headers.get('ratelimit-limit'), String(LIMIT));
    assert.equal(first.headers.get('ratelimit-policy'), `${LIMIT};w=60`);
    assert.deepEqual([remaining(first.headers), remaining(second.headers)], [LIMIT - 1, LIMIT - 2]);
    const reset = Number(second.headers.get('ratelimit-reset'));
    assert.ok(reset > 55 && reset <= 60, String(reset));
  });

  it('counts exactly, however many come at once and from wherever, and refuses the rest until the minute is over', async () => {
    const { session } = await platform.user();
    const calls = Array.from({ length: LIMIT + 5 }, (_, i) => from(`192.0.2.${i}`, session).get('/users/current'));
    const answers = await Promise.all(calls);
    assert.equal(answers.filter((answer) => answer.status === 200).length, LIMIT);
    const refused = answers.filter((answer) => answer.status === 429);
    assert.equal(refused.length, 5);
    for (const { body, headers } of refused) {
      assert.equal(body.code, 'rate_limited');
      assert.equal(headers.get('retry-after'), headers.get('ratelimit-reset'));
      assert.equal(remaining(headers), 0);
    }
    const keys = await platform.container.redis.keys(`*${platform.container.config.redisPrefix}*:requests:user:*`);
    await platform.container.redis.del(keys);
    assert.equal((await from('192.0.2.1', session).get('/users/current')).status, 200);
  });

  it('is each user’s own, also behind one address', async () => {
    const [one, other] = [await platform.user(), await platform.user()];
    for (let sent = 0; sent <= LIMIT; sent += 1) await one.api.get('/sensors');
    assert.equal((await one.api.get('/sensors')).status, 429);
    assert.equal((await other.api.get('/sensors')).status, 200);
  });

  it('is that of the address without a session, with one that is unknown, and at the login', async () => {
    const { username, password } = await platform.user();
    const guesser = from('198.51.100.1', 'x'.repeat(27));
    for (let sent = 0; sent < LIMIT; sent += 1) assert.equal((await guesser.get('/sensors')).status, 401);
    assert.equal((await guesser.get('/sensors')).status, 429);
    assert.equal((await from('198.51.100.1').post('/login', { username, password })).status, 429);
    assert.equal((await from('198.51.100.2').post('/login', { username, password })).status, 200);
  });

  it('lets everything through while Redis is away', async () => {
    const { api } = await platform.user();
    await redis.cut();
    const answers = await Promise.all(Array.from({ length: LIMIT + 5 }, () => api.get('/sensors')));
    await redis.restore();
    for (const { status, headers } of answers) assert.deepEqual([status, headers.get('ratelimit-limit')], [200, null]);
    await platform.container.redis.ping();
    assert.equal(remaining((await api.get('/sensors')).headers), LIMIT - 1);
  });
});

describe('without a limit of requests', () => {
  it('no answer speaks of one', async () => {
    const platform = await startPlatform();
    const { headers } = await (await platform.user()).api.get('/sensors');
    await platform.close();
    assert.ok([...headers.keys()].every((name) => !name.startsWith('ratelimit')));
  });
});
