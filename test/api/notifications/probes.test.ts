import assert from 'node:assert/strict';
import { usePlatform, useUser } from '../../support/hooks';
import { METRICS_SPELLINGS } from '../../support/metrics-spellings';
import { rawRequest } from '../../support/raw-request';

const TOKEN = 'a-token-of-prometheus';

describe('the probes', () => {
  const platform = usePlatform();

  it('have one spelling each, for a rule of a proxy to match', async () => {
    for (const path of ['/metrics', '/metrics?', '/metrics?x=/healthz', '/healthz', '/readyz']) {
      for (const method of ['GET', 'HEAD']) {
        assert.equal((await rawRequest(platform.url, path, { method })).status, 200, `${method} ${path}`);
      }
    }
    const others = METRICS_SPELLINGS.filter((path) => !/^\/metrics(\?|$)/.test(path));
    assert.ok(others.length >= METRICS_SPELLINGS.length - 3);
    const ofAll = others.flatMap((path) => [
      path,
      ...['healthz', 'readyz'].map((name) => path.replace(/metrics/i, name)),
    ]);
    for (const path of ofAll.filter((one) => !/^\/(healthz|readyz)(\?|$)/.test(one))) {
      const { status, text } = await rawRequest(platform.url, path);
      assert.ok(status === 404 || status === 400, `${path}: ${status}`);
      assert.ok(['unknown_path', 'bad_path', 'bad_request'].includes(JSON.parse(text).code), path);
    }
  });

  it('are no other method’s', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      assert.equal((await rawRequest(platform.url, '/metrics', { method })).status, 404, method);
    }
  });
});

describe('the metrics with METRICS_TOKEN', () => {
  const platform = usePlatform({ config: { METRICS_TOKEN: TOKEN } });
  const user = useUser(platform);

  const get = (headers: Record<string, string>, path = '/metrics') => platform.anonymous.get(path, headers);

  it('are for who has the token', async () => {
    for (const scheme of ['Bearer', 'bearer']) {
      const { status, body, headers } = await get({ Authorization: `${scheme} ${TOKEN}` });
      assert.equal(status, 200);
      assert.match(String(body), /^# HELP /);
      assert.equal(headers.get('cache-control'), 'no-store');
    }
  });

  it('are for nobody else', async () => {
    const { body: made } = await user.api.post('/keys', { key: { name: 'all', scopes: ['read', 'write'] } });
    const others: Record<string, string>[] = [
      {},
      { Authorization: TOKEN },
      { Authorization: 'Bearer' },
      { Authorization: `Bearer ${TOKEN}x` },
      { Authorization: `Bearer ${TOKEN.slice(1)}` },
      { Authorization: `Bearer ${TOKEN.toUpperCase()}` },
      { Authorization: `Bearer ${made.key.secret}` },
      { Authorization: `Basic ${Buffer.from(`x:${TOKEN}`).toString('base64')}` },
      { 'X-SESSION_ID': user.session },
    ];
    for (const headers of others) {
      const response = await get(headers);
      assert.deepEqual([response.status, response.body.code], [401, 'invalid_token'], JSON.stringify(headers));
      assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer /);
      assert.equal(response.headers.get('cache-control'), 'no-store');
    }
    assert.equal((await get({}, `/metrics?token=${TOKEN}`)).status, 401);
  });

  it('leave the other probes to everybody: balancers have no token', async () => {
    assert.deepEqual([(await get({}, '/healthz')).status, (await get({}, '/readyz')).status], [200, 200]);
  });
});
