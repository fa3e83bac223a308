import assert from 'node:assert/strict';
import { authorize, CALLBACK, registerApplication } from '../../support/applications';
import { usePlatform, useUser, useUserPerTest } from '../../support/hooks';
import { OAuth2Flow, pkce, statusWith } from '../../support/oauth2';

const OTHER = 'https://other.example.org/allowed';

describe('what OAuth 2 refuses', () => {
  const platform = usePlatform();
  const developer = useUser(platform);
  const user = useUserPerTest(platform);
  const build = async (fields: Record<string, unknown> = {}) =>
    new OAuth2Flow(platform, await registerApplication(developer, fields));

  describe('in the address that an application sends users to', () => {
    it('shows on a page, and sends nobody anywhere, where the application or its callback is unknown', async () => {
      const flow = await build({ callback_url: [CALLBACK, `${CALLBACK}?place=roof`] });
      const service = await build({ type: 'service', callback_url: CALLBACK });
      const addresses = [
        flow.address({ client_id: 'unknown' }),
        flow.address({ client_id: undefined }),
        service.address(),
        ...[`${CALLBACK}/more`, `${CALLBACK}?place=`, `${CALLBACK}#x`, CALLBACK.toUpperCase(), OTHER, undefined].map(
          (redirect_uri) => flow.address({ redirect_uri }),
        ),
        `${flow.address()}&redirect_uri=${encodeURIComponent(OTHER)}`,
        `${flow.address()}&client_id=${flow.application.consumer_key}`,
      ];
      for (const address of addresses) {
        for (const who of [undefined, user]) {
          const { status, headers, text } = await flow.open(who, address);
          assert.deepEqual([status, headers.location], [400, undefined], address);
          assert.match(text, /<h1>That is not possible<\/h1>/);
        }
      }
    });

    it('goes back to an application that the user allows, with the error and the state, in all other cases after the login', async () => {
      const browser = await build({ type: 'browser' });
      const web = await build();
      const { challenge, verifier } = pkce();
      const S256 = { code_challenge: challenge, code_challenge_method: 'S256' };
      const cases: [OAuth2Flow, Record<string, string | undefined>, string][] = [
        [web, { response_type: undefined }, 'invalid_request'],
        [web, { response_type: 'token' }, 'unsupported_response_type'],
        [web, { response_type: 'code token' }, 'unsupported_response_type'],
        [web, { scope: 'read admin' }, 'invalid_scope'],
        [web, { code_challenge: challenge }, 'invalid_request'],
        [web, { ...S256, code_challenge_method: 'plain' }, 'invalid_request'],
        [web, { code_challenge_method: 'S256' }, 'invalid_request'],
        [web, { ...S256, code_challenge: `${verifier}=` }, 'invalid_request'],
        [browser, {}, 'invalid_request'],
        [browser, { ...S256, code_challenge_method: 'plain' }, 'invalid_request'],
      ];
      for (const { application } of [web, browser]) await authorize(platform, { user, application });
      for (const [flow, parameters, error] of cases) {
        const before = await flow.open(undefined, flow.address(parameters));
        assert.deepEqual([before.status, before.headers.location], [200, undefined], 'anybody can register a callback');
        assert.match(before.text, /<h1>Log in<\/h1>/);
        const { status, headers } = await flow.open(user, flow.address(parameters));
        const back = new URL(String(headers.location));
        const sent = [
          status,
          back.origin + back.pathname,
          back.searchParams.get('error'),
          back.searchParams.get('state'),
        ];
        assert.deepEqual(sent, [302, CALLBACK, error, 'xyz'], JSON.stringify(parameters));
      }
      const twice = await web.open(user, `${web.address()}&scope=read&scope=write`);
      assert.match(String(twice.headers.location), /error=invalid_request/);
    });

    it('shows on a page, with a link, where the user does not allow the application anything', async () => {
      const flow = await build({ name: 'A <b>bad</b> one' });
      const address = flow.address({ response_type: 'token' });
      const application = flow.application;
      const expiresMs = Date.now() - 1_000;
      await authorize(platform, { user: await platform.user(), application });
      await authorize(platform, { user, application, expiresMs });
      for (const answer of [await flow.open(user, address), await flow.post(user, address, { action: 'ALLOW' })]) {
        assert.deepEqual([answer.status, answer.headers.location], [400, undefined]);
        assert.match(answer.text, /<h1>“A &lt;b&gt;bad&lt;\/b&gt; one” cannot ask for this<\/h1>/);
        assert.match(answer.text, /response_type must be code/);
        assert.equal(answer.headers['referrer-policy'], 'no-referrer');
        const link = /<a href="([^"]+)">/.exec(answer.text)?.[1]?.replaceAll('&amp;', '&') ?? assert.fail('no link');
        const { origin, pathname, searchParams } = new URL(link);
        assert.equal(origin + pathname, CALLBACK);
        assert.deepEqual([searchParams.get('error'), searchParams.get('state')], ['unsupported_response_type', 'xyz']);
      }
      await authorize(platform, { user, application });
      assert.equal((await flow.open(user, address)).status, 302);
    });
  });

  describe('of the form on the page', () => {
    it('is everything that the page was not shown for', async () => {
      const flow = await build();
      const another = await platform.user();
      const address = flow.address();
      const tokenOf = async (who: typeof user, where: string) =>
        /name="form_token" value="([\w-]+)"/.exec((await flow.open(who, where)).text)?.[1] ?? assert.fail('no token');
      const own = await tokenOf(user, address);
      const wider = flow.address({ scope: 'read write' });
      const attempts: [string, string, string, Record<string, string>?][] = [
        ['no token', address, ''],
        ["another user's token", address, await tokenOf(another, address)],
        ['the token of another request', wider, own],
        ['the token of another form', address, await tokenOf(user, '/oauth/register_app')],
        ['another site', address, own, { Origin: 'https://evil.example.org' }],
        ['another site', address, own, { 'Sec-Fetch-Site': 'cross-site' }],
      ];
      for (const [what, where, form_token, headers] of attempts) {
        const answer = await flow.post(user, where, { form_token, action: 'ALLOW' }, headers);
        assert.deepEqual([answer.status, answer.headers.location], [403, undefined], what);
      }
      assert.deepEqual((await user.api.get('/oauth/authorizations')).body.authorizations, []);
    });

    it('is shown in no frame, kept nowhere, and names the callback as the only place where it may lead', async () => {
      const { headers, text } = await (await build()).open(user, (await build()).address());
      const policy = String(headers['content-security-policy']);
      assert.match(
        policy,
        /default-src 'none'.*form-action 'self' https:\/\/weather\.example\.org; frame-ancestors 'none'/,
      );
      assert.ok(!/script/.test(policy + text));
      const redirect_uri = 'org.example.weather:/allowed';
      const native = await build({ type: 'native', callback_url: redirect_uri });
      const S256 = { code_challenge: pkce().challenge, code_challenge_method: 'S256' };
      const page = await native.open(user, native.address({ redirect_uri, ...S256 }));
      assert.match(String(page.headers['content-security-policy']), /form-action 'self' org\.example\.weather:;/);
      assert.equal(headers['referrer-policy'], 'same-origin');
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['x-frame-options'], 'DENY');
    });
  });

  describe('at the endpoint for tokens', () => {
    it('is a wrong client, a wrong code, and what does not belong to the code', async () => {
      const flow = await build();
      const other = await build();
      const browser = await build({ type: 'browser' });
      const { verifier, challenge } = pkce();
      const S256 = { code_challenge: challenge, code_challenge_method: 'S256' };
      const code = () => flow.code(user);
      const { consumer_key: client_id } = flow.application;
      const cases: [string, Promise<{ status: number; body: { error: string } }>, number, string][] = [
        ['wrong secret', flow.exchange(await code(), {}, flow.basic('wrong')), 401, 'invalid_client'],
        ['no secret', flow.exchange(await code(), { client_id }, {}), 401, 'invalid_client'],
        ['no client', flow.exchange(await code(), {}, {}), 401, 'invalid_client'],
        [
          'two clients',
          flow.exchange(await code(), { client_id: other.application.consumer_key }),
          400,
          'invalid_request',
        ],
        ['another client', other.exchange(await code()), 400, 'invalid_grant'],
        ['unknown code', flow.exchange('oac_unknown'), 400, 'invalid_grant'],
        ['no code', flow.exchange(''), 400, 'invalid_request'],
        ['wrong redirect', flow.exchange(await code(), { redirect_uri: OTHER }), 400, 'invalid_grant'],
        ['no redirect', flow.exchange(await code(), { redirect_uri: '' }), 400, 'invalid_grant'],
        ['no verifier', flow.exchange(await flow.code(user, S256)), 400, 'invalid_grant'],
        [
          'wrong verifier',
          flow.exchange(await flow.code(user, S256), { code_verifier: pkce().verifier }),
          400,
          'invalid_grant',
        ],
        [
          'challenge as verifier',
          flow.exchange(await flow.code(user, S256), { code_verifier: challenge }),
          400,
          'invalid_grant',
        ],
        [
          'verifier without a challenge',
          flow.exchange(await code(), { code_verifier: verifier }),
          400,
          'invalid_grant',
        ],
        ['password', flow.request('/oauth2/token', { grant_type: 'password' }), 400, 'unsupported_grant_type'],
        ['none', flow.request('/oauth2/token', {}), 400, 'invalid_request'],
        ['a service', flow.request('/oauth2/token', { grant_type: 'client_credentials' }), 400, 'unauthorized_client'],
        [
          'a browser',
          browser.request('/oauth2/token', { grant_type: 'client_credentials' }),
          400,
          'unauthorized_client',
        ],
      ];
      for (const [what, sent, status, error] of cases) {
        const answer = await sent;
        assert.deepEqual([answer.status, answer.body.error], [status, error], what);
      }
      const basic = await flow.exchange(await code(), {}, flow.basic('wrong'));
      assert.match(String(basic.headers['www-authenticate']), /^Basic /);
    });

    it('is a secret or a code in the address, and a parameter that comes twice', async () => {
      const flow = await build();
      const code = await flow.code(user);
      const inQuery = await flow.request(`/oauth2/token?code=${code}`, { grant_type: 'authorization_code' });
      assert.deepEqual([inQuery.status, inQuery.body.error], [400, 'invalid_request']);
      const { consumer_key, consumer_secret } = flow.application;
      const secret = await flow.request(
        `/oauth2/token?client_id=${consumer_key}&client_secret=${consumer_secret}`,
        { grant_type: 'authorization_code', code },
        {},
      );
      assert.deepEqual([secret.status, secret.body.error], [400, 'invalid_request']);
      const twice = await platform.anonymous.post('/oauth2/token', 'grant_type=a&grant_type=b', {
        'Content-Type': 'application/x-www-form-urlencoded',
      });
      assert.deepEqual([twice.status, twice.body.error], [400, 'invalid_request']);
      assert.equal((await flow.exchange(code)).status, 200);
    });
  });

  it('is a token that is unknown, with a challenge for it', async () => {
    const token = `oat_${'x'.repeat(43)}`;
    assert.equal(await statusWith(platform, token), 401);
    assert.equal(await statusWith(platform, 'oat_short'), 401);
  });
});

describe('guessing the secret of an application', () => {
  const platform = usePlatform({ config: { RATE_LIMIT_REFUSED_LOGINS: '10' } });
  const developer = useUser(platform);
  const build = async () => new OAuth2Flow(platform, await registerApplication(developer));

  it('ends after ten from one address, also with the right one', async () => {
    const flow = await build();
    const another = await build();
    for (let guess = 0; guess < 10; guess += 1) {
      const { status } = await flow.request(
        '/oauth2/token',
        { grant_type: 'refresh_token' },
        flow.basic(`guess-${guess}`),
      );
      assert.equal(status, 401);
    }
    const limited = await flow.request('/oauth2/token', { grant_type: 'refresh_token' });
    assert.deepEqual([limited.status, limited.body.error], [429, 'temporarily_unavailable']);
    assert.ok(Number(limited.headers['retry-after']) > 0);
    assert.equal(
      (await another.request('/oauth2/token', { grant_type: 'refresh_token' })).body.error,
      'invalid_request',
    );
  });
});
