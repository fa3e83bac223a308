import assert from 'node:assert/strict';
import { type Platform, startPlatform } from '../support/platform';

describe('the board of the queues', () => {
  let platform: Platform;

  before(async () => {
    platform = await startPlatform({ config: { TRUST_PROXY: '1', RATE_LIMIT_REFUSED_LOGINS: '3' } });
  });
  after(() => platform.close());

  const open = (credentials?: string, address = '203.0.113.1', path = '') =>
    platform.anonymous.get(`/admin/queues${path}`, {
      'X-Forwarded-For': address,
      ...(credentials && { Authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
    });

  it('asks for its login, and then shows itself and what it needs', async () => {
    const asked = await open();
    assert.deepEqual([asked.status, asked.body.code], [401, 'board_login']);
    assert.match(asked.headers.get('www-authenticate') ?? '', /^Basic /);
    const page = await open('operator:board-password');
    assert.equal(page.status, 200);
    const files = [...String(page.body).matchAll(/(?:src|href)="(static[^"]+)"/g)].map(([, file]) => file);
    assert.ok(files.length > 1);
    for (const path of [...files, 'api/queues']) {
      assert.equal((await open('operator:board-password', '203.0.113.1', `/${path}`)).status, 200, path);
    }
  });

  it('comes with the headers of all other answers, in no frame, and loads nothing from elsewhere', async () => {
    const { headers: usual } = await platform.anonymous.get('/openapi.json');
    for (const answer of [await open(), await open('operator:board-password')]) {
      for (const name of [
        'x-frame-options',
        'x-content-type-options',
        'referrer-policy',
        'strict-transport-security',
      ]) {
        assert.ok(usual.get(name), name);
        assert.equal(answer.headers.get(name), usual.get(name), name);
      }
      assert.equal(answer.headers.get('x-powered-by'), null);
      const policy = answer.headers.get('content-security-policy') ?? '';
      assert.match(policy, /^default-src 'self';.*frame-ancestors 'none'/);
      assert.ok(!/https?:/.test(policy));
    }
  });

  it('counts refused logins by the address they come from, and no request without one', async () => {
    for (let i = 0; i < 5; i += 1) assert.equal((await open()).status, 401);
    for (let i = 0; i < 3; i += 1) assert.equal((await open('operator:guess')).status, 401);
    const limited = await open('operator:board-password');
    assert.equal(limited.status, 429);
    assert.ok(Number(limited.headers.get('retry-after')) > 880);
    assert.equal((await open()).status, 401);
    assert.equal((await open('operator:board-password', '203.0.113.9')).status, 200);
    const operator = await platform.user({ username: 'operator' });
    assert.equal((await operator.api.get('/users/current')).status, 200);
  });

  it('lets none in of many guesses at once, when most of them are wrong', async () => {
    // Redis answers none of them before all are there.
    await platform.container.redis.call('CLIENT', 'PAUSE', '400', 'ALL');
    const guesses = ['guess', 'guess', 'guess', 'board-password'];
    const answers = await Promise.all(guesses.map((guess) => open(`operator:${guess}`, '203.0.113.20')));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [401, 401, 401, 429],
    );
  });
});
