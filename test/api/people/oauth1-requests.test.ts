import assert from 'node:assert/strict';
import { type RegisteredApplication, registerApplication } from '../../support/applications';
import { buildSensor } from '../../support/factories';
import { usePlatform, useUser, useUserPerTest } from '../../support/hooks';
import { oauth1Client, obtainAccess, type Signing, type Token } from '../../support/oauth1';

describe('requests that are signed by OAuth 1.0a', () => {
  const platform = usePlatform({ config: { TRUST_PROXY: '1' } });
  const owner = useUser(platform);
  const user = useUserPerTest(platform);
  let application: RegisteredApplication;
  let client: ReturnType<typeof oauth1Client>;
  let token: Token;

  beforeEach(async () => {
    application = await registerApplication(owner);
    client = oauth1Client(platform.url, application);
    token = await obtainAccess(platform, { user, application });
  });

  const signed = (method: string, path: string, signing: Signing = {}) => client(method, path, { token, ...signing });
  const names = async () => (await user.api.get('/sensors')).body.sensors.map(({ name }: { name: string }) => name);

  for (const place of ['header', 'query'] as const) {
    it(`create, change, fill, read and delete with the parameters in the ${place}, by both methods`, async () => {
      for (const by of ['HMAC-SHA1', 'HMAC-SHA256'] as const) {
        const how = { in: place, by };
        const created = await signed('POST', '/sensors.json', { ...how, json: { sensor: { name: 'a & b=c' } } });
        assert.equal(created.status, 201, created.text);
        const { id } = created.json.sensor;
        const path = `/sensors/${id}`;
        assert.equal((await signed('PUT', path, { ...how, json: { sensor: { name: 'é' } } })).json.sensor.name, 'é');
        const data = { data: [{ value: '5 %', date: 1_700_000_000.5 }] };
        assert.equal((await signed('POST', `//sensors/${id}/data.json`, { ...how, json: data })).status, 201);
        const read = await signed('GET', `${path}/data.json?start_date=1.7E9&sort=desc&x=a%20b`, how);
        assert.deepEqual([read.status, read.json.data[0].value], [200, '5 %']);
        assert.equal((await signed('DELETE', path, how)).status, 200);
        assert.deepEqual(await names(), []);
      }
    });
  }

  it('sign a form, wherever the parameters of the protocol are', async () => {
    for (const place of ['header', 'query', 'form'] as const) {
      const { status, text } = await signed('POST', '/sensors', { in: place, form: { 'sensor[name]': `by ${place}` } });
      assert.equal(status, 201, text);
    }
    assert.deepEqual(await names(), ['by header', 'by query', 'by form']);
  });

  it('do not sign JSON, also when it is labelled as a form', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const json = { sensor: { name: 'a=1&b=2' } };
    for (const path of ['/sensors', '/sensors.json']) {
      assert.equal((await signed('POST', path, { json, headers })).status, 201);
    }
    assert.equal((await signed('POST', '/sensors', { json, headers, in: 'query' })).status, 201);
  });

  it('leave no parameter of the protocol in what they create', async () => {
    const id = await buildSensor(user);
    const how = { in: 'query' } as const;
    const tags = await signed('POST', `/sensors/${id}/metatags`, { ...how, json: { metatags: { room: ['attic'] } } });
    assert.deepEqual(tags.json.metatags, { room: ['attic'] });
    assert.equal((await signed('POST', `/sensors/${id}/data`, { ...how, json: { value: 5, date: 7 } })).status, 201);
    const { data } = (await user.api.get(`/sensors/${id}/data`)).body;
    assert.deepEqual([data.length, data[0].value, data[0].date], [1, '5', 7]);
    const form = await signed('POST', `/sensors/${id}/data`, { in: 'form', form: { value: '6', date: '8' } });
    assert.equal(form.status, 201, form.text);
  });

  it('may be sent as another method than they act as', async () => {
    const id = await buildSensor(user);
    assert.equal((await signed('POST', `/sensors/${id}?_METHOD=DELETE`)).status, 200);
    const other = await buildSensor(user);
    assert.equal((await signed('POST', `/sensors/${other}`, { form: { _METHOD: 'DELETE' } })).status, 200);
    assert.deepEqual(await names(), []);
  });

  it('may be signed for http behind a proxy that ends TLS, and for the host that it was asked for', async () => {
    const behind = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'api.example.org' };
    for (const base of ['http://api.example.org', 'https://api.example.org', platform.url]) {
      assert.equal((await signed('GET', '/sensors', { base, headers: behind })).status, 200, base);
    }
    const host = { Host: 'API.example.org:80' };
    assert.equal((await signed('GET', '/sensors', { base: 'http://api.example.org', headers: host })).status, 200);
    const { status } = await signed('GET', '/sensors', { base: 'http://evil.example.org', headers: behind });
    assert.equal(status, 401);
  });

  it('may have a body of more than 64 KB when their head is signed', async () => {
    const id = await buildSensor(user);
    const data = Array.from({ length: 2_000 }, (_, index) => ({ value: 'x'.repeat(50), date: index + 1 }));
    assert.equal((await signed('POST', `/sensors/${id}/data`, { json: { data } })).status, 201);
    const wrong = { ...token, secret: 'wrong' };
    assert.equal((await signed('POST', `/sensors/${id}/data`, { json: { data }, token: wrong })).status, 413);
  });

  it('may have a compressed body, which is signed as it was before', async () => {
    assert.equal(
      (await signed('POST', '/sensors', { json: { sensor: { name: 'packed' } }, packed: true })).status,
      201,
    );
    assert.equal((await signed('POST', '/sensors', { form: { 'sensor[name]': 'form' }, packed: true })).status, 201);
  });

  it('count once', async () => {
    // A nonce counts for its second.
    const oauth = { oauth_nonce: 'twice', oauth_timestamp: String(Math.floor(Date.now() / 1000)) };
    assert.equal((await signed('GET', '/sensors', { oauth })).status, 200);
    const again = await signed('GET', '/sensors', { oauth });
    assert.equal(again.status, 401);
    assert.match(String(again.headers['www-authenticate']), /^OAuth oauth_problem="nonce_used"/);
    const many = await Promise.all(
      Array.from({ length: 10 }, () =>
        signed('POST', '/sensors', { json: { name: 'x' }, oauth: { ...oauth, oauth_nonce: 'many' } }),
      ),
    );
    assert.equal(many.filter(({ status }) => status === 201).length, 1);
    assert.equal((await names()).length, 1);
  });

  it('use up no nonce of others by a wrong signature', async () => {
    const oauth = { oauth_nonce: 'mine' };
    assert.equal((await signed('GET', '/sensors', { oauth, token: { ...token, secret: 'guess' } })).status, 401);
    assert.equal((await signed('GET', '/sensors', { oauth })).status, 200);
  });

  const wrong: [
    string,
    string,
    (given: { application: RegisteredApplication }) => Signing & { key?: string; secret?: string },
  ][] = [
    ['another secret of the token', 'signature_invalid', () => ({ token: { ...token, secret: 'guess' } })],
    ['another secret of the application', 'signature_invalid', () => ({ secret: 'guess' })],
    ['an unknown token', 'token_rejected', () => ({ token: { key: 'unknown', secret: token.secret } })],
    ['an unknown key', 'token_rejected', () => ({ key: 'unknown' })],
    ['no token', 'parameter_absent', () => ({ token: undefined })],
    ['an old timestamp', 'timestamp_refused', () => ({ oauth: { oauth_timestamp: '137131200' } })],
    ['PLAINTEXT', 'signature_method_rejected', () => ({ oauth: { oauth_signature_method: 'PLAINTEXT' } })],
    [
      'a header that cannot be read',
      'parameter_rejected',
      () => ({ headers: { Authorization: 'OAuth oauth_token="half' }, in: 'query' }),
    ],
  ];
  for (const [what, problem, change] of wrong) {
    it(`are refused with ${what}: ${problem}`, async () => {
      const {
        key = application.consumer_key,
        secret = application.consumer_secret,
        ...signing
      } = change({ application });
      const other = oauth1Client(platform.url, { consumer_key: key, consumer_secret: secret });
      const { status, headers, json, text } = await other('GET', '/sensors', { token, ...signing });
      assert.equal(status, 401, text);
      assert.match(String(headers['www-authenticate']), new RegExp(`^OAuth oauth_problem="${problem}"`));
      assert.ok(typeof json.error === 'string' && typeof json.code === 'string');
      for (const hidden of [token.key, token.secret, application.consumer_secret]) assert.ok(!text.includes(hidden));
    });
  }

  it('are refused in addition to a session or a key', async () => {
    const two = await signed('GET', '/sensors', { headers: { 'X-SESSION_ID': user.session } });
    assert.deepEqual([two.status, two.json.code], [400, 'invalid_input']);
    const withKey = await signed('GET', '/sensors?API_KEY=key_x');
    assert.equal(withKey.status, 400);
    const withCookie = await signed('GET', '/sensors', { headers: { Cookie: 'session_id=unknown' } });
    assert.equal(withCookie.status, 200);
  });

  it('reach all data and nothing of the account', async () => {
    assert.equal((await signed('GET', '/users/current')).json.user.id, user.id);
    assert.equal((await signed('GET', '/groups')).status, 200);
    assert.equal((await signed('POST', '/triggers', { json: { trigger: { name: 't', inactivity: 60 } } })).status, 201);
    for (const [method, path] of [
      ['POST', '/change_password'],
      ['PUT', `/users/${user.id}`],
      ['DELETE', `/users/${user.id}`],
      ['POST', '/oauth/register_app'],
      ['GET', '/oauth/applications'],
      ['GET', '/oauth/authorizations'],
      ['POST', '/logout'],
    ] as const) {
      const { status, json } = await signed(method, path);
      assert.deepEqual([status, json.code], [403, 'session_required'], `${method} ${path}`);
    }
  });

  it('end with the authorization, with the application, and with either account', async () => {
    const status = async () => (await signed('GET', '/sensors')).status;
    assert.equal(await status(), 200);
    const [authorization] = (await user.api.get('/oauth/authorizations')).body.authorizations;
    await user.api.delete(`/oauth/authorizations/${authorization.id}`);
    assert.equal(await status(), 401);

    token = await obtainAccess(platform, { user, application });
    assert.equal(await status(), 200);
    await owner.api.delete(`/oauth/applications/${application.id}`);
    assert.equal(await status(), 401);

    const another = await platform.user();
    application = await registerApplication(another);
    client = oauth1Client(platform.url, application);
    token = await obtainAccess(platform, { user, application });
    assert.equal(await status(), 200);
    await another.api.delete(`/users/${another.id}`);
    assert.equal(await status(), 401);

    application = await registerApplication(owner);
    client = oauth1Client(platform.url, application);
    token = await obtainAccess(platform, { user, application });
    await user.api.delete(`/users/${user.id}`);
    assert.equal(await status(), 401);
  });

  it('stay valid after the secret of the application was replaced, when they are signed by the new one', async () => {
    const { body } = await owner.api.post(`/oauth/applications/${application.id}/rotate`);
    assert.equal((await signed('GET', '/sensors')).status, 401);
    client = oauth1Client(platform.url, body.application);
    assert.equal((await signed('GET', '/sensors')).status, 200);
  });

  it('are noted on the authorization', async () => {
    const read = async () => (await user.api.get('/oauth/authorizations')).body.authorizations[0].last_used;
    assert.equal(await read(), null);
    await signed('GET', '/sensors');
    for (let tries = 0; tries < 50 && (await read()) === null; tries += 1) await new Promise(setImmediate);
    assert.ok(Math.abs((await read()) - Date.now() / 1000) < 60);
  });

  it('leave neither tokens nor secrets in the database', async () => {
    await signed('GET', '/sensors');
    for (const table of ['oauth1_tokens', 'oauth1_nonces', 'authorizations', 'applications']) {
      const rows = JSON.stringify(await platform.query(`SELECT * FROM ${table}`));
      for (const secret of [token.key, token.secret, application.consumer_secret])
        assert.ok(!rows.includes(secret), table);
    }
  });
});
