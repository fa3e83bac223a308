import assert from 'node:assert/strict';
import { usePlatform, useUserPerTest } from '../../support/hooks';

const FOREIGN: readonly Record<string, string>[] = [
  { Origin: 'https://evil.example.org' },
  { Origin: 'null' },
  { Origin: 'https://evil.example.org', 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'same-site' },
];
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('a page of another site', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);

  const isLive = async (session: string) =>
    (await platform.anonymous.get('/users/current', { 'X-SESSION_ID': session })).status === 200;
  const cookie = () => ({ Cookie: `session_id=${user.session}` });

  it('logs in by what it reads, and leaves the browser logged in as it is', async () => {
    const { username, password } = await platform.user();
    const form = new URLSearchParams({ username, password }).toString();
    for (const signs of FOREIGN) {
      for (const answer of [
        await platform.anonymous.post('/login', { username, password }, signs),
        await platform.anonymous.post('/login.json', form, { ...signs, ...FORM, ...cookie() }),
        await platform.anonymous.post(`/login?${form}`, '', { ...signs, 'Content-Type': 'text/plain' }),
      ]) {
        assert.equal(answer.status, 200, JSON.stringify(signs));
        assert.deepEqual(answer.headers.getSetCookie(), []);
        const { session_id } = answer.body;
        assert.equal(answer.headers.get('x-session_id'), session_id);
        assert.equal(await isLive(session_id), true);
      }
    }
    assert.equal(await isLive(user.session), true);
  });

  it('is restricted, unlike own pages and programs, which get the cookie', async () => {
    const { username, password } = user;
    for (const signs of [
      {},
      { Origin: platform.url },
      { Origin: platform.url, 'Sec-Fetch-Site': 'same-origin' },
      { 'Sec-Fetch-Site': 'none' },
    ] as Record<string, string>[]) {
      const { status, headers, body } = await platform.anonymous.post('/login', { username, password }, signs);
      assert.equal(status, 200);
      assert.equal(headers.getSetCookie().length, 1, JSON.stringify(signs));
      assert.ok(headers.getSetCookie()[0]?.startsWith(`session_id=${body.session_id};`));
    }
  });

  it('cannot end the session of the cookie, by whatever method', async () => {
    const foreign = { ...cookie(), 'Sec-Fetch-Site': 'cross-site' };
    for (const path of ['/logout', '/logout.json', '/LOGOUT', '/logout/', '/logout?x=1']) {
      for (const method of ['get', 'post'] as const) {
        const answer = await platform.anonymous[method](path, ...(method === 'post' ? [{}, foreign] : [foreign]));
        assert.deepEqual([answer.status, answer.body.code], [403, 'foreign_page'], `${method} ${path}`);
        assert.deepEqual(answer.headers.getSetCookie(), []);
      }
    }
    const head = await fetch(`${platform.url}/logout`, { method: 'HEAD', headers: foreign });
    assert.equal(head.status, 405, 'what looks at an address changes nothing');
    assert.equal(await isLive(user.session), true);
    assert.equal((await platform.anonymous.get('/logout', cookie())).status, 200, 'no page says that it is foreign');
    assert.equal(await isLive(user.session), false);
  });

  it('ends a session that it sends itself, and not the one that the browser adds', async () => {
    const { username, password } = await platform.user();
    for (const signs of FOREIGN.filter((one) => 'Sec-Fetch-Site' in one)) {
      for (const method of ['get', 'post'] as const) {
        for (const way of ['header', 'parameter']) {
          const own: string = (await platform.anonymous.post('/login', { username, password })).body.session_id;
          const path = way === 'header' ? '/logout' : `/logout?session_id=${own}`;
          const headers = { ...signs, ...cookie(), ...(way === 'header' && { 'X-SESSION_ID': own }) };
          const answer = await platform.anonymous[method](path, ...(method === 'post' ? [{}, headers] : [headers]));
          assert.equal(answer.status, 200, `${method} ${way}`);
          assert.deepEqual(answer.headers.getSetCookie(), [], 'the cookie is another session');
          assert.deepEqual([await isLive(own), await isLive(user.session)], [false, true]);
        }
      }
    }
  });

  it('may look by the cookie: it cannot read what it gets', async () => {
    const headers = { ...cookie(), 'Sec-Fetch-Site': 'cross-site' };
    assert.equal((await platform.anonymous.get('/users/current', headers)).status, 200);
  });
});
