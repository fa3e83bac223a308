import assert from 'node:assert/strict';
import { CALLBACK, type RegisteredApplication, registerApplication } from '../../support/applications';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUser } from '../../support/hooks';
import { oauth1Client, obtainAccess, type Signing, type Token, tokenIn } from '../../support/oauth1';

const HOUR_MS = 3_600_000;

describe('the flow of OAuth 1.0a', () => {
  const clock = fakeClock(Date.now());
  const platform = usePlatform({ clock });
  const owner = useUser(platform);
  const user = useUser(platform);
  let application: RegisteredApplication;
  let signed: ReturnType<typeof oauth1Client>;

  before(async () => {
    // Clients sign with the time, and files are loaded long before their tests run.
    clock.advance(Date.now() - clock.now());
    application = await registerApplication(owner);
    signed = oauth1Client(platform.url, application);
  });

  const ask = async (callback = CALLBACK): Promise<Token> =>
    tokenIn(await signed('POST', '/oauth/request_token', { oauth: { oauth_callback: callback } }));
  const decide = (token: Token, parameters: Record<string, string> = {}) => {
    const all = { oauth_token: token.key, tok_expir: '1', action: 'ALLOW', ...parameters };
    return user.api.post(`/oauth/provider_authorize?${new URLSearchParams(all)}`);
  };
  const locationOf = async (token: Token, parameters?: Record<string, string>) => {
    const { status, headers } = await decide(token, parameters);
    assert.equal(status, 302);
    return new URL(headers.get('location') ?? '');
  };
  const exchange = (token: Token, verifier: string) =>
    signed('POST', '/oauth/access_token', { token, oauth: { oauth_verifier: verifier } });

  const ways: [string, string, Signing][] = [
    ['GET', 'the query', { in: 'query' }],
    ['GET', 'the header', { in: 'header' }],
    ['POST', 'the query', { in: 'query' }],
    ['POST', 'the header', { in: 'header' }],
    ['POST', 'a form', { in: 'form' }],
  ];
  for (const [method, place, how] of ways) {
    it(`leads to access by ${method} with the parameters in ${place}`, async () => {
      const asked = await signed(method, '/oauth/request_token', {
        ...how,
        oauth: { oauth_callback: `${CALLBACK}?own=1` },
      });
      assert.match(String(asked.headers['content-type']), /^application\/x-www-form-urlencoded/);
      assert.equal(asked.headers['cache-control'], 'no-store');
      assert.equal(asked.form.oauth_callback_confirmed, 'true');
      const token = tokenIn(asked);
      const location = await locationOf(token);
      assert.equal(location.origin + location.pathname, CALLBACK);
      assert.deepEqual(Object.fromEntries(location.searchParams), {
        own: '1',
        oauth_token: token.key,
        oauth_verifier: location.searchParams.get('oauth_verifier'),
      });
      const verifier = location.searchParams.get('oauth_verifier') ?? '';
      const access = tokenIn(
        await signed(method, '/oauth/access_token', { ...how, token, oauth: { oauth_verifier: verifier } }),
      );
      const current = await signed('GET', '/users/current', {
        ...how,
        in: place === 'a form' ? 'header' : how.in,
        token: access,
      });
      assert.equal(current.json.user.id, user.id);
    });
  }

  it('shows the verifier where there is no callback', async () => {
    const token = await ask('oob');
    const { status, body } = await decide(token);
    assert.equal(status, 200);
    const verifier = new URLSearchParams(body).get('oauth_verifier') ?? '';
    assert.match(verifier, /^[0-9A-Za-z]{10}$/);
    tokenIn(await exchange(token, verifier));
  });

  it('takes the decision and the session from a form, too, and .json at the end of its paths', async () => {
    const token = tokenIn(await signed('GET', '/oauth/request_token.json', { oauth: { oauth_callback: CALLBACK } }));
    const form = { oauth_token: token.key, tok_expir: '2', action: 'allow', session_id: user.session };
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const { status, headers } = await platform.anonymous.post(
      '/oauth/provider_authorize.json',
      new URLSearchParams(form).toString(),
      type,
    );
    assert.equal(status, 302);
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
  });

  it('sends the user back with their refusal, after which the token is gone', async () => {
    const token = await ask();
    const { searchParams } = await locationOf(token, { action: 'DENY', tok_expir: '' });
    assert.deepEqual(Object.fromEntries(searchParams), { oauth_token: token.key, oauth_problem: 'user_refused' });
    assert.equal((await exchange(token, 'x')).form.oauth_problem, 'token_rejected');
    assert.equal((await decide(token)).status, 401);
  });

  it('lets a request token be decided about once and exchanged once', async () => {
    const token = await ask();
    const verifier = (await locationOf(token)).searchParams.get('oauth_verifier') ?? '';
    assert.equal((await decide(token)).status, 401);
    tokenIn(await exchange(token, verifier));
    assert.equal((await exchange(token, verifier)).form.oauth_problem, 'token_rejected');
  });

  it('exchanges a token once, however many requests for it come at the same time', async () => {
    const token = await ask();
    const verifier = (await locationOf(token)).searchParams.get('oauth_verifier') ?? '';
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(token, verifier)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  });

  const problems: [string, string, () => Promise<{ status: number; form: Record<string, string> }>][] = [
    ['no callback', 'parameter_absent', () => signed('POST', '/oauth/request_token')],
    ['another callback', 'parameter_rejected', () => callingBack('https://evil.example.org/allowed')],
    ['a callback below the registered one', 'parameter_rejected', () => callingBack(`${CALLBACK}/../evil`)],
    ['a callback that only begins like it', 'parameter_rejected', () => callingBack(`${CALLBACK}.evil.example`)],
    ['a fragment in the callback', 'parameter_rejected', () => callingBack(`${CALLBACK}#x`)],
    [
      'a user in the callback',
      'parameter_rejected',
      () => callingBack(CALLBACK.replace('//', '//weather.example.org@')),
    ],
    ['a decision that is missing', 'permission_unknown', async () => exchange(await ask(), 'x')],
    ['no verifier', 'parameter_absent', async () => signed('POST', '/oauth/access_token', { token: await ask() })],
    [
      'a wrong verifier',
      'verifier_invalid',
      async () => {
        const token = await ask();
        await decide(token);
        return exchange(token, 'wrong');
      },
    ],
    [
      'the token of another application',
      'token_rejected',
      async () => {
        const other = oauth1Client(platform.url, await registerApplication(owner));
        return other('POST', '/oauth/access_token', { token: await ask(), oauth: { oauth_verifier: 'x' } });
      },
    ],
    [
      'a token that has waited for too long',
      'token_expired',
      async () => {
        const token = await ask();
        const verifier = (await locationOf(token)).searchParams.get('oauth_verifier') ?? '';
        clock.advance(HOUR_MS + 1_000);
        const late = { oauth_verifier: verifier, oauth_timestamp: String(Math.floor(clock.now() / 1000)) };
        return signed('POST', '/oauth/access_token', { token, oauth: late }).finally(() =>
          clock.advance(-HOUR_MS - 1_000),
        );
      },
    ],
  ];
  const callingBack = (callback: string) =>
    signed('POST', '/oauth/request_token', { oauth: { oauth_callback: callback } });
  for (const [why, problem, request] of problems) {
    it(`is refused with ${why}: ${problem}`, async () => {
      const { status, form } = await request();
      assert.deepEqual([status, form.oauth_problem], [401, problem]);
      assert.ok(form.oauth_problem_advice);
    });
  }

  it('names the problem in the header and in the body', async () => {
    const { status, headers, form } = await signed('POST', '/oauth/request_token', {
      oauth: { oauth_version: '2.0', oauth_callback: 'oob' },
    });
    assert.equal(status, 401);
    assert.match(
      String(headers['www-authenticate']),
      /^OAuth oauth_problem="version_rejected", oauth_acceptable_versions="1.0-1.0", /,
    );
    assert.deepEqual([form.oauth_problem, form.oauth_acceptable_versions], ['version_rejected', '1.0-1.0']);
  });

  it('takes no decision without a session, by a wrong one, by a token, or for an unknown time', async () => {
    const token = await ask();
    const parameters = new URLSearchParams({ oauth_token: token.key, tok_expir: '1', action: 'ALLOW' });
    const path = `/oauth/provider_authorize?${parameters}`;
    assert.equal((await platform.anonymous.post(path)).status, 401);
    assert.equal((await platform.anonymous.post(`${path}&session_id=${'x'.repeat(27)}`)).status, 401);
    const access = await obtainAccess(platform, { user, application });
    assert.equal((await signed('POST', '/oauth/provider_authorize', { token: access })).status, 403);
    assert.deepEqual(
      [(await decide(token, { tok_expir: '5' })).status, (await decide(token, { tok_expir: 'None' })).status],
      [400, 400],
    );
    assert.equal((await decide(token, { action: 'MAYBE' })).body.fields.action, 'must be ALLOW or DENY');
    const cookie = { Cookie: `session_id=${user.session}` };
    const byCookie = await platform.anonymous.post(path, undefined, cookie);
    assert.ok(byCookie.status >= 400, 'a browser adds the cookie by itself');
    await locationOf(token);
  });

  for (const [tokExpir, days] of [
    ['1', 1 / 24],
    ['2', 1],
    ['3', 7],
    ['4', 30],
    ['0', null],
  ] as const) {
    it(`lets the token end as tok_expir=${tokExpir} says`, async () => {
      const mine = await registerApplication(owner);
      const access = await obtainAccess(platform, { user, application: mine, tokExpir: Number(tokExpir) });
      const read = () => {
        const oauth = { oauth_timestamp: String(Math.floor(clock.now() / 1000)) };
        return oauth1Client(platform.url, mine)('GET', '/sensors', { token: access, oauth });
      };
      const { authorizations } = (await user.api.get('/oauth/authorizations')).body;
      const { expires } = authorizations.find((one: { application: { id: string } }) => one.application.id === mine.id);
      assert.equal(expires, days === null ? null : clock.now() / 1000 + days * 86_400);
      const afterMs = (days ?? 400) * 86_400_000;
      clock.advance(afterMs - 1_000);
      assert.equal((await read()).status, 200);
      clock.advance(2_000);
      const { status, json, headers } = await read();
      clock.advance(-afterMs - 1_000);
      assert.deepEqual([status, json?.code], days === null ? [200, undefined] : [401, 'invalid_token']);
      if (days !== null) assert.match(String(headers['www-authenticate']), /oauth_problem="token_expired"/);
    });
  }
});
