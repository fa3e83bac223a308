import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { usePlatform } from '../../support/hooks';

/** Namespaces of XML and JSON Schema, bases for reading relative URLs, and links that only a click follows. */
const NAMES_AND_LINKS = new Set([
  ...['www.w3.org', 'json-schema.org', 'fake.com', 'localhost'],
  ...['react.dev', 'reactjs.org', 'reactflow.dev', 'flow.dev', 'redux.js.org', 'redux-toolkit.js.org', 'fb.me'],
  ...['react.i18next.com', 'github.com', 'felixmosh.github.io', 'bit.ly', 'base-ui.com'],
]);

describe('the queue board', () => {
  const platform = usePlatform({ config: { TRUST_PROXY: '1', RATE_LIMIT_REFUSED_LOGINS: '3' } });

  const open = (credentials?: string, address = '203.0.113.1', path = '') =>
    platform.anonymous.get(`/admin/queues${path}`, {
      'X-Forwarded-For': address,
      ...(credentials && { Authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
    });

  it('requires its login, then serves its page and every file of the page', async () => {
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

  it('names no other host in its page and style sheets, and only identifiers and links in its scripts', async () => {
    const load = async (path: string) => String((await open('operator:board-password', '203.0.113.2', path)).body);
    const page = await load('');
    assert.deepEqual(page.match(/(?:https?:)?\/\/[\w.]+/g), null);
    const dist = dirname(require.resolve('@bull-board/ui/package.json'));
    const files = readdirSync(join(dist, 'dist/static'), { recursive: true, encoding: 'utf8' });
    assert.ok(files.length > 50);
    for (const file of files.filter((name) => /\.(css|js)$/.test(name))) {
      const text = await load(`/static/${file}`);
      assert.ok(text.length > 10, file);
      if (file.endsWith('.css')) assert.doesNotMatch(text, /@import|url\(\s*["']?(?:https?:)?\/\//, file);
      const hosts = [...text.matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host]) => host ?? '');
      assert.deepEqual(
        hosts.filter((host) => !NAMES_AND_LINKS.has(host)),
        [],
        file,
      );
    }
  });

  it('has the security headers of all other responses, cannot be framed and loads nothing from other hosts', async () => {
    const { headers: usual } = await platform.anonymous.get('/openapi.json');
    for (const response of [await open(), await open('operator:board-password')]) {
      for (const name of [
        'x-frame-options',
        'x-content-type-options',
        'referrer-policy',
        'strict-transport-security',
      ]) {
        assert.ok(usual.get(name), name);
        assert.equal(response.headers.get(name), usual.get(name), name);
      }
      assert.equal(response.headers.get('x-powered-by'), null);
      const policy = response.headers.get('content-security-policy') ?? '';
      assert.match(policy, /^default-src 'self';.*frame-ancestors 'none'/);
      assert.ok(!/https?:/.test(policy));
    }
  });

  it('counts refused logins per address, and does not count requests without credentials', async () => {
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

  it('lets nobody in among many simultaneous guesses, most of them wrong', async () => {
    // Redis replies to none of them before all have arrived.
    await platform.container.redis.call('CLIENT', 'PAUSE', '400', 'ALL');
    const guesses = ['guess', 'guess', 'guess', 'board-password'];
    const responses = await Promise.all(guesses.map((guess) => open(`operator:${guess}`, '203.0.113.20')));
    assert.deepEqual(
      responses.map(({ status }) => status),
      [401, 401, 401, 429],
    );
  });
});
