import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { registerApplication } from '../../support/applications';
import { usePlatform, useUser } from '../../support/hooks';
import { oauth1Client, obtainAccess } from '../../support/oauth1';
import { recordedLogs } from '../../support/recorded-logs';

describe('requests that are signed for the public address', () => {
  const platform = usePlatform({ config: { PUBLIC_URL: 'https://public.example.org/api/' } });
  const user = useUser(platform);

  it('are taken behind a proxy that changes the host and the path', async () => {
    const application = await registerApplication(user);
    const client = oauth1Client(platform.url, application);
    const token = await obtainAccess(platform, { user, application });
    for (const base of ['https://public.example.org/api', 'http://public.example.org/api', platform.url]) {
      assert.equal((await client('GET', '/sensors.json?page=0', { token, base })).status, 200, base);
    }
    for (const base of ['https://public.example.org', 'https://other.example.org/api', `${platform.url}/api`]) {
      assert.equal((await client('GET', '/sensors.json?page=0', { token, base })).status, 401, base);
    }
  });
});

describe('the purge of OAuth 1.0a', () => {
  const platform = usePlatform();
  const user = useUser(platform);

  it('deletes nonces, tokens and authorizations that have expired', async () => {
    const application = await registerApplication(user);
    const token = await obtainAccess(platform, { user, application, tokExpir: 1 });
    await oauth1Client(platform.url, application)('POST', '/oauth/request_token', { oauth: { oauth_callback: 'oob' } });
    const count = async (table: string) => Number((await platform.query(`SELECT COUNT(*) AS n FROM ${table}`))[0]?.n);
    const tables = ['oauth1_nonces', 'oauth1_tokens', 'authorizations'];
    await platform.container.purge.run();
    assert.deepEqual(await Promise.all(tables.map(count)), [3, 2, 1]);
    for (const table of tables) await platform.query(`UPDATE ${table} SET expires_ms = 1`);
    await platform.container.purge.run();
    assert.deepEqual(await Promise.all(tables.map(count)), [0, 0, 0]);
    assert.equal((await oauth1Client(platform.url, application)('GET', '/sensors', { token })).status, 401);
  });
});

describe('guessing secrets of applications', () => {
  const platform = usePlatform({ config: { RATE_LIMIT_REFUSED_LOGINS: '3' } });
  const user = useUser(platform);

  it('is limited for an application and an address, and locks nobody else out', async () => {
    const application = await registerApplication(user);
    const token = await obtainAccess(platform, { user, application });
    const right = oauth1Client(platform.url, application);
    const guess = oauth1Client(platform.url, { ...application, consumer_secret: 'guess' });
    const ask = { oauth: { oauth_callback: 'oob' } };
    const statuses: number[] = [];
    for (let index = 0; index < 5; index += 1) statuses.push((await guess('POST', '/oauth/request_token', ask)).status);
    assert.deepEqual(statuses, [401, 401, 401, 429, 429]);
    assert.equal((await right('POST', '/oauth/request_token', ask)).status, 429);
    assert.equal((await guess('GET', '/sensors', { token })).status, 429);
    assert.equal((await right('GET', '/sensors', { token })).status, 200, 'who has a token goes on');
    const other = await registerApplication(user);
    assert.equal((await oauth1Client(platform.url, other)('POST', '/oauth/request_token', ask)).status, 200);
  });
});

describe('the endpoints of OAuth 1.0a', () => {
  const platform = usePlatform();

  it('log no key, token, secret or verifier, whatever comes of a request', async () => {
    const user = await platform.user();
    const application = await registerApplication(user);
    const client = oauth1Client(platform.url, application);
    const { result: token, logged } = await recordedLogs(platform, async () => {
      const access = await obtainAccess(platform, { user, application });
      await client('GET', '/sensors', { token: access, in: 'query' });
      await client('GET', '/sensors', { token: { ...access, secret: 'wrong' }, in: 'query' });
      await client('POST', '/oauth/access_token', {
        token: access,
        in: 'form',
        oauth: { oauth_verifier: 'my-verifier' },
      });
      return access;
    });
    assert.ok(logged.length >= 6, String(logged.length));
    const secrets = [
      application.consumer_key,
      application.consumer_secret,
      token.key,
      token.secret,
      'my-verifier',
      user.session,
    ];
    for (const secret of secrets) assert.ok(!logged.join('\n').includes(secret));
    const { body: metrics } = await platform.anonymous.get('/metrics');
    for (const secret of secrets) assert.ok(!metrics.includes(secret));
  });

  it('take GET and POST only', async () => {
    for (const path of ['/oauth/request_token', '/oauth/access_token']) {
      const { status, body, headers } = await platform.anonymous.put(path);
      assert.deepEqual([status, body.code, headers.get('allow')], [405, 'wrong_method', 'GET, POST']);
    }
  });

  it('are admitted round-robin, like other requests of an address or a user', async () => {
    const user = await platform.user();
    const application = await registerApplication(user);
    const { oauth1, oauth1Consents } = platform.container.services;
    const { issueRequestToken } = oauth1;
    const { decide } = oauth1Consents;
    const inside = { now: 0, most: 0 };
    const counted = async <T>(work: () => Promise<T>): Promise<T> => {
      inside.now += 1;
      inside.most = Math.max(inside.most, inside.now);
      await setTimeout(20);
      return work().finally(() => (inside.now -= 1));
    };
    const mostOf = async (ask: () => Promise<{ status: number }>, status: number) => {
      inside.most = 0;
      const answers = await Promise.all(Array.from({ length: 20 }, ask));
      assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([status]));
      return inside.most;
    };
    oauth1.issueRequestToken = (...given) => counted(() => issueRequestToken.apply(oauth1, given));
    oauth1Consents.decide = (...given) => counted(() => decide.apply(oauth1Consents, given));
    try {
      const client = oauth1Client(platform.url, application);
      assert.equal(
        await mostOf(() => client('POST', '/oauth/request_token', { oauth: { oauth_callback: 'oob' } }), 200),
        4,
      );
      const path = '/oauth/provider_authorize?action=DENY&oauth_token=unknown';
      assert.equal(await mostOf(() => user.api.post(path), 401), 2);
    } finally {
      Object.assign(oauth1, { issueRequestToken });
      Object.assign(oauth1Consents, { decide });
    }
  });

  it('name what is missing in a request without any parameter', async () => {
    const { status, body } = await platform.anonymous.post('/oauth/request_token');
    assert.equal(status, 401);
    assert.equal(
      new URLSearchParams(body).get('oauth_parameters_absent'),
      'oauth_consumer_key&oauth_signature_method&oauth_signature&oauth_timestamp&oauth_nonce',
    );
  });

  it('refuse the request token of an application that has too many of them', async () => {
    const user = await platform.user();
    const application = await registerApplication(user);
    const numbers = Array.from({ length: 5_000 }, (_, index) => [
      `hash ${index}`,
      'request',
      '',
      application.id,
      0,
      2 ** 50,
    ]);
    const sql = `INSERT INTO oauth1_tokens
      (token_hash, kind, encrypted_secret, application_id, created_ms, expires_ms) VALUES ?`;
    await platform.query(sql, [numbers]);
    const ask = { oauth: { oauth_callback: 'oob' } };
    assert.equal((await oauth1Client(platform.url, application)('POST', '/oauth/request_token', ask)).status, 429);
  });

  it('keep the latest 50 access tokens of a user and an application', async () => {
    const user = await platform.user();
    const application = await registerApplication(user);
    const first = await obtainAccess(platform, { user, application });
    const [{ id: authorization }] = (await user.api.get('/oauth/authorizations')).body.authorizations;
    const others = Array.from({ length: 49 }, (_, index) => [
      `other ${index}`,
      'access',
      '',
      application.id,
      authorization,
      0,
    ]);
    const sql = `INSERT INTO oauth1_tokens
      (token_hash, kind, encrypted_secret, application_id, authorization_id, created_ms) VALUES ?`;
    await platform.query(sql, [others]);
    const client = oauth1Client(platform.url, application);
    assert.equal((await client('GET', '/sensors', { token: first })).status, 200);
    const latest = await obtainAccess(platform, { user, application });
    assert.equal((await client('GET', '/sensors', { token: first })).status, 401);
    assert.equal((await client('GET', '/sensors', { token: latest })).status, 200);
  });
});
