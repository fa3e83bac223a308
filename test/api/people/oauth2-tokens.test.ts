import assert from 'node:assert/strict';
import { ALL_USERS } from '../../../jobs/event.job';
import { handleEvents } from '../../../workers/event.worker';
import { registerApplication } from '../../support/applications';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import { OAuth2Flow, statusWith } from '../../support/oauth2';
import { subscribe } from '../../support/subscribe';

describe('the tokens of OAuth 2', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const developer = useUserPerTest(platform);
  const user = useUserPerTest(platform);
  const receiver = useReceiver();
  let flow: OAuth2Flow;
  beforeEach(async () => {
    flow = new OAuth2Flow(platform, await registerApplication(developer));
  });
  const introspect = async (token: string, by = flow) => (await by.request('/oauth2/introspect', { token })).body;

  describe('are gone with a code', () => {
    it('that comes again: what it was exchanged for ends', async () => {
      const code = await flow.code(user);
      const { body } = await flow.exchange(code);
      assert.equal(await statusWith(platform, body.access_token), 200);
      const again = await flow.exchange(code);
      assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant']);
      assert.equal(await statusWith(platform, body.access_token), 401);
      assert.equal((await flow.refresh(body.refresh_token)).body.error, 'invalid_grant');
    });

    it('that comes several times at once: one request gets tokens, and they end', async () => {
      const code = await flow.code(user);
      const answers = await Promise.all([1, 2, 3, 4].map(() => flow.exchange(code)));
      const good = answers.filter(({ status }) => status === 200);
      assert.deepEqual([good.length, answers.filter(({ body }) => body.error === 'invalid_grant').length], [1, 3]);
      assert.equal(await statusWith(platform, good[0]?.body.access_token), 401);
    });

    it('that has waited for a minute, or was sent with a wrong verifier or address', async () => {
      const code = await flow.code(user);
      clock.advance(60_000);
      assert.equal((await flow.exchange(code)).body.error, 'invalid_grant');
      const second = await flow.code(user);
      await flow.exchange(second, { redirect_uri: 'https://other.example.org/' });
      assert.equal((await flow.exchange(second)).body.error, 'invalid_grant', 'nobody can try again');
      const third = await flow.code(user);
      clock.advance(59_999);
      assert.equal((await flow.exchange(third)).status, 200);
    });
  });

  describe('that refresh others', () => {
    it('end with all of their family when one comes again, and the user gets an event', async () => {
      await subscribe(user, receiver.url, 'token_reuse_detected');
      const first = await flow.tokens(user);
      const other = await flow.tokens(user);
      const second = (await flow.refresh(first.refresh_token)).body;
      const stolen = await flow.refresh(first.refresh_token);
      assert.deepEqual([stolen.status, stolen.body.error], [400, 'invalid_grant']);
      for (const { access_token } of [first, second]) assert.equal(await statusWith(platform, access_token), 401);
      assert.equal((await flow.refresh(second.refresh_token)).body.error, 'invalid_grant');
      assert.equal(await statusWith(platform, other.access_token), 200, 'another consent stays');
      await handleEvents(ALL_USERS, platform.container);
      await platform.settle();
      assert.deepEqual(
        receiver.received.map(({ form }) => [form.event, form.subject_id]),
        [['token_reuse_detected', flow.application.id]],
      );
    });

    it('lead to one next token, however many requests come at once', async () => {
      const { refresh_token } = await flow.tokens(user);
      const answers = await Promise.all([1, 2, 3, 4].map(() => flow.refresh(refresh_token)));
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
      for (const { body } of answers)
        if (body.access_token) assert.equal(await statusWith(platform, body.access_token), 401);
    });

    it('are of no use to another application, which ends nothing by trying', async () => {
      const thief = new OAuth2Flow(platform, await registerApplication(developer));
      const tokens = await flow.tokens(user);
      const next = (await flow.refresh(tokens.refresh_token)).body;
      for (const { refresh_token } of [tokens, next]) {
        assert.equal((await thief.refresh(refresh_token)).body.error, 'invalid_grant');
      }
      assert.equal(await statusWith(platform, next.access_token), 200);
    });

    it('are stored for 200 tokens of a family, and 100 families of a consent', async () => {
      const first = await flow.tokens(user);
      const ofConsent = `FROM oauth2_grants WHERE application_id = ${flow.application.id}`;
      const grants = `SELECT COUNT(*) AS count ${ofConsent}`;
      const columns = 'application_id, user_id, authorization_id, scopes, created_ms, expires_ms';
      const many = Array.from({ length: 99 }, () => 'UNION ALL SELECT 1').join(' ');
      await platform.query(
        `INSERT INTO oauth2_grants (${columns})
         SELECT ${columns} FROM (SELECT ${columns} ${ofConsent}) known, (SELECT 1 AS one ${many}) many`,
      );
      assert.equal(Number((await platform.query(grants))[0]?.count), 101);
      await flow.tokens(user);
      assert.equal(Number((await platform.query(grants))[0]?.count), 100);
      assert.equal(await statusWith(platform, first.access_token), 401);
      let last = await flow.tokens(user);
      for (let i = 0; i < 110; i += 1) last = (await flow.refresh(last.refresh_token)).body;
      const tokens =
        'SELECT MAX(count) AS count FROM (SELECT COUNT(*) AS count FROM oauth2_tokens GROUP BY grant_id) c';
      assert.equal(Number((await platform.query(tokens))[0]?.count), 200);
    });
  });

  it('end with the authorization, the application, and the accounts of its owner and its user', async () => {
    const ends: [string, () => Promise<unknown>][] = [
      [
        'the authorization',
        async () => {
          const [{ id }] = (await user.api.get('/oauth/authorizations')).body.authorizations;
          return user.api.delete(`/oauth/authorizations/${id}`);
        },
      ],
      ['the application', () => developer.api.delete(`/oauth/applications/${flow.application.id}`)],
    ];
    for (const [what, end] of ends) {
      const { access_token, refresh_token } = await flow.tokens(user);
      const code = await flow.code(user);
      await end();
      assert.equal(await statusWith(platform, access_token), 401, what);
      for (const { status } of [await flow.refresh(refresh_token), await flow.exchange(code)]) {
        assert.ok(status === 400 || status === 401, what);
      }
    }
    flow = new OAuth2Flow(platform, await registerApplication(developer));
    const [one, other] = [await platform.user(), await platform.user()];
    const tokens = [await flow.tokens(one), await flow.tokens(other)];
    await one.api.delete(`/users/${one.id}`);
    assert.deepEqual(
      await Promise.all(tokens.map(({ access_token }) => statusWith(platform, access_token))),
      [401, 200],
    );
    await developer.api.delete(`/users/${developer.id}`);
    assert.equal(await statusWith(platform, tokens[1].access_token), 401);
  });

  it("reach nothing of another user's, and show when they were last used", async () => {
    const { access_token } = await flow.tokens(user);
    const sensor = (await developer.api.post('/sensors', { sensor: { name: 'foreign' } })).body.sensor.id;
    assert.equal(await statusWith(platform, access_token, `/sensors/${sensor}`), 404);
    const [authorization] = (await user.api.get('/oauth/authorizations')).body.authorizations;
    assert.equal(authorization.last_used, clock.now() / 1_000);
    assert.equal(
      await statusWith(platform, access_token, `/oauth/authorizations/${authorization.id}`, { method: 'DELETE' }),
      403,
    );
  });

  it('can be ended by their application alone: one, or with a refresh token the family', async () => {
    const other = new OAuth2Flow(platform, await registerApplication(developer));
    const first = await flow.tokens(user);
    assert.deepEqual((await other.request('/oauth2/revoke', { token: first.access_token })).body, {});
    assert.equal(await statusWith(platform, first.access_token), 200);
    const revoke = (token: string) => flow.request('/oauth2/revoke', { token, token_type_hint: 'access_token' });
    assert.deepEqual([(await revoke(first.access_token)).status, (await revoke('unknown')).status], [200, 200]);
    assert.equal(await statusWith(platform, first.access_token), 401);
    const second = (await flow.refresh(first.refresh_token)).body;
    await revoke(second.refresh_token);
    assert.equal(await statusWith(platform, second.access_token), 401);
    assert.equal((await flow.request('/oauth2/revoke', {})).body.error, 'invalid_request');
  });

  it('are described to their own application', async () => {
    const other = new OAuth2Flow(platform, await registerApplication(developer));
    const { access_token, refresh_token } = await flow.tokens(user, { scope: 'read write' });
    const now = Math.floor(clock.now() / 1_000);
    assert.deepEqual(await introspect(access_token), {
      active: true,
      scope: 'read write',
      client_id: flow.application.consumer_key,
      username: user.username,
      sub: user.id,
      token_type: 'Bearer',
      exp: now + 3_600,
      iat: now,
    });
    assert.equal((await introspect(refresh_token)).active, true);
    await flow.refresh(refresh_token);
    for (const [token, by] of [
      [refresh_token, flow],
      [access_token, other],
      ['unknown', flow],
    ] as const) {
      assert.deepEqual(await introspect(token, by), { active: false });
    }
    clock.advance(3_600_000);
    assert.deepEqual(await introspect(access_token), { active: false });
    const { consumer_key: client_id } = flow.application;
    const open = await flow.request('/oauth2/introspect', { token: access_token, client_id }, {});
    assert.equal(open.status, 401);
  });

  it('are deleted when they have expired, and with their application', async () => {
    const count = async () => {
      const of = `g.application_id = ${flow.application.id}`;
      const joined = 'oauth2_tokens t JOIN oauth2_grants g ON g.id = t.grant_id';
      const [grants] = await platform.query(`SELECT COUNT(*) AS count FROM oauth2_grants g WHERE ${of}`);
      const [tokens] = await platform.query(`SELECT COUNT(*) AS count FROM ${joined} WHERE ${of}`);
      return [Number(grants?.count), Number(tokens?.count)];
    };
    await flow.code(user);
    await flow.tokens(user);
    assert.deepEqual(await count(), [2, 2]);
    clock.advance(3_600_001);
    await platform.container.purge.run();
    assert.deepEqual(await count(), [1, 1], 'the refresh token lives');
    const { status } = await developer.api.delete(`/oauth/applications/${flow.application.id}`);
    assert.equal(status, 200);
    await platform.container.purge.run();
    assert.deepEqual(await count(), [0, 0]);
  });

  it('and codes are stored as hashes only', async () => {
    const code = await flow.code(user);
    const { access_token, refresh_token } = (await flow.exchange(code)).body;
    const rows = [
      ...(await platform.query('SELECT * FROM oauth2_grants')),
      ...(await platform.query('SELECT * FROM oauth2_tokens')),
    ];
    const stored = JSON.stringify(rows);
    for (const secret of [code, access_token, refresh_token]) assert.ok(!stored.includes(secret.slice(4)));
  });
});
