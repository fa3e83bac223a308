import assert from 'node:assert/strict';
import { registerApplication } from '../../support/applications';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import { oauth1Client, tokenIn } from '../../support/oauth1';
import { OAuth2Flow } from '../../support/oauth2';
import { until } from '../../support/until';

const OTHER = 'c'.repeat(32);
const LOOKS = 3;

describe('a request that waits while a new password ends its session', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const developer = useUserPerTest(platform);

  /** Sends a request while the user's row is locked, as a new password locks it, and lets it go on once `change` is committed. */
  const sendDuring = async <T>(send: () => Promise<T>, [sql, values]: readonly [string, readonly unknown[]]) => {
    const { pool } = platform.container.database;
    const connection = await pool.getConnection();
    try {
      await connection.beginTransaction();
      await connection.query('SELECT id FROM users WHERE id = ? FOR UPDATE', [user.id]);
      const sent = send();
      // Several times in a row: a server may still list a statement whose result it has just sent.
      let looks = 0;
      await until('it waits for the row of the user', async () => {
        const [row] = await platform.query(
          `SELECT COUNT(*) AS waiting FROM information_schema.processlist
           WHERE db = DATABASE() AND id <> ? AND id <> CONNECTION_ID()
           AND info REGEXP '\`?users\`?.*(FOR UPDATE|FOR SHARE|IN SHARE MODE)'`,
          [connection.threadId],
        );
        looks = Number(row?.waiting) > 0 ? looks + 1 : 0;
        return looks === LOOKS;
      });
      await connection.query(sql, [...values]);
      await connection.commit();
      return await sent;
    } finally {
      connection.release();
    }
  };
  const endSessions = () => ['DELETE FROM sessions WHERE user_id = ?', [user.id]] as const;
  const sendWhileItEnds = <T>(send: () => Promise<T>) => sendDuring(send, endSessions());

  it('makes no key', async () => {
    const key = { name: 'left behind', scopes: ['read'] };
    assert.equal((await sendWhileItEnds(() => user.api.post('/keys', { key }))).status, 401);
    assert.deepEqual(await platform.query('SELECT id FROM api_keys WHERE owner_id = ?', [user.id]), []);
  });

  it('learns no new secret of an application', async () => {
    const { id } = await registerApplication(user, { type: 'service' });
    const rotated = await sendWhileItEnds(() => user.api.post(`/oauth/applications/${id}/rotate`));
    assert.deepEqual([rotated.status, rotated.body.application], [401, undefined]);
  });

  it('registers no application', async () => {
    const application = { name: 'left behind', type: 'service' };
    assert.equal((await sendWhileItEnds(() => user.api.post('/oauth/register_app', { application }))).status, 401);
    assert.deepEqual(await platform.query('SELECT id FROM applications WHERE owner_id = ?', [user.id]), []);
  });

  for (const [what, changes] of [
    ['address', () => ({ email: 'intruder@example.org' })],
    ['password', () => ({ password: OTHER, current_password: user.password })],
  ] as const) {
    it(`changes no ${what}`, async () => {
      const read = () => platform.query('SELECT email, password_hash FROM users WHERE id = ?', [user.id]);
      const before = await read();
      assert.equal((await sendWhileItEnds(() => user.api.put(`/users/${user.id}`, { user: changes() }))).status, 401);
      assert.deepEqual(await read(), before);
    });
  }

  it('allows nothing to an application by OAuth 2', async () => {
    const flow = new OAuth2Flow(platform, await registerApplication(developer));
    const address = flow.address();
    const page = await flow.open(user, address);
    const form_token = /name="form_token" value="([\w-]+)"/.exec(page.text)?.[1] ?? '';
    const answer = await sendWhileItEnds(() => flow.post(user, address, { form_token, action: 'ALLOW' }));
    assert.equal(answer.status, 401);
  });

  it('allows nothing to an application by OAuth 1.0a', async () => {
    const signed = oauth1Client(platform.url, await registerApplication(developer));
    const { key } = tokenIn(await signed('POST', '/oauth/request_token', { oauth: { oauth_callback: 'oob' } }));
    const query = new URLSearchParams({ oauth_token: key, tok_expir: '0', action: 'ALLOW' });
    const decided = await sendWhileItEnds(() => user.api.post(`/oauth/provider_authorize?${query}`));
    assert.equal(decided.status, 401);
    assert.deepEqual(await platform.query('SELECT id FROM authorizations WHERE user_id = ?', [user.id]), []);
  });

  it('gets no token for a service whose secret was replaced', async () => {
    const service = new OAuth2Flow(platform, await registerApplication(user, { type: 'service' }));
    const refused = await sendDuring(
      () => service.request('/oauth2/token', { grant_type: 'client_credentials' }),
      ["UPDATE applications SET encrypted_secret = '' WHERE owner_id = ?", [user.id]],
    );
    assert.deepEqual([refused.status, refused.body.error], [401, 'invalid_client']);
    assert.deepEqual(await platform.query('SELECT id FROM oauth2_grants WHERE user_id = ?', [user.id]), []);
  });
});
