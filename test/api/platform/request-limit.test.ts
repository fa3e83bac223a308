import assert from 'node:assert/strict';
import { apiClient } from '../../support/api-client';
import { useCuttable, usePlatform, useUser } from '../../support/hooks';

const LIMIT = 20;
/** After this time one more request is allowed. */
const EVERY_MS = 60_000 / LIMIT;

describe('the request limit', () => {
  const redis = useCuttable('REDIS_URL');
  const platform = usePlatform(() => ({
    config: { RATE_LIMIT_REQUESTS: String(LIMIT), TRUST_PROXY: '1', REDIS_URL: redis.url },
  }));

  const from = (address: string, session?: string) =>
    apiClient(platform.url, { 'X-Forwarded-For': address, ...(session ? { 'X-SESSION_ID': session } : {}) });
  const remaining = (headers: Headers) => Number(headers.get('ratelimit-remaining'));
  const untilRefused = async (send: () => Promise<{ status: number }>) => {
    for (let sent = 0; (await send()).status !== 429; sent += 1) assert.ok(sent < 3 * LIMIT, 'no request is refused');
  };

  it('is stated in every response, successful or not', async () => {
    const { api } = await platform.user();
    const [first, second] = [await api.get('/sensors'), await api.get('/sensors/0')];
    assert.deepEqual([first.status, second.status], [200, 404]);
    assert.equal(first.headers.get('ratelimit-limit'), String(LIMIT));
    assert.equal(first.headers.get('ratelimit-policy'), `${LIMIT};w=60`);
    assert.deepEqual([remaining(first.headers), remaining(second.headers)], [LIMIT - 1, LIMIT - 2]);
    assert.equal(first.headers.get('ratelimit-reset'), String(EVERY_MS / 1_000));
  });

  it('counts simultaneous requests from any address exactly, and refuses the rest', async () => {
    const { session } = await platform.user();
    const calls = Array.from({ length: LIMIT + 5 }, (_, i) => from(`192.0.2.${i}`, session).get('/users/current'));
    const watch = performance.now();
    const responses = await Promise.all(calls);
    const more = Math.floor((performance.now() - watch) / EVERY_MS);
    const allowed = responses.filter((response) => response.status === 200).length;
    assert.ok(allowed >= LIMIT && allowed <= LIMIT + more, `${allowed} allowed`);
    const refused = responses.filter((response) => response.status === 429);
    assert.equal(allowed + refused.length, LIMIT + 5);
    for (const { body, headers } of refused) {
      assert.equal(body.code, 'rate_limited');
      assert.equal(headers.get('retry-after'), headers.get('ratelimit-reset'));
      assert.equal(remaining(headers), 0);
    }
    const keys = await platform.container.redis.keys(`*${platform.container.config.redisPrefix}*:requests:user:*`);
    await platform.container.redis.del(keys);
    assert.equal((await from('192.0.2.1', session).get('/users/current')).status, 200);
  });

  it('applies to each user separately, even behind one address', async () => {
    const [one, other] = [await platform.user(), await platform.user()];
    await untilRefused(() => one.api.get('/sensors'));
    assert.equal((await other.api.get('/sensors')).status, 200);
  });

  it('applies to the address without a session, with an unknown one, and at the login', async () => {
    const { username, password } = await platform.user();
    const guesser = from('198.51.100.1', 'x'.repeat(27));
    assert.equal((await guesser.get('/sensors')).status, 401);
    await untilRefused(() => guesser.get('/sensors'));
    await untilRefused(() => from('198.51.100.1').post('/login', { username, password }));
    assert.equal((await from('198.51.100.2').post('/login', { username, password })).status, 200);
  });

  it('refuses nothing while Redis is unreachable', async () => {
    const { api } = await platform.user();
    await redis.cut();
    const responses = await Promise.all(Array.from({ length: LIMIT + 5 }, () => api.get('/sensors')));
    await redis.restore();
    for (const { status, headers } of responses)
      assert.deepEqual([status, headers.get('ratelimit-limit')], [200, null]);
    await platform.container.redis.ping();
    assert.equal(remaining((await api.get('/sensors')).headers), LIMIT - 1);
  });
});

describe('without a request limit', () => {
  const platform = usePlatform();
  const user = useUser(platform);

  it('no response mentions one', async () => {
    const { headers } = await user.api.get('/sensors');
    assert.ok([...headers.keys()].every((name) => !name.startsWith('ratelimit')));
  });
});
