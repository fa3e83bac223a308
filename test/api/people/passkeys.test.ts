import assert from 'node:assert/strict';
import { Authenticator } from '../../support/authenticator';
import { usePlatform } from '../../support/hooks';
import type { TestUser } from '../../support/platform';

const ORIGIN = 'http://localhost:1';
const LIFE_MS = 5 * 60_000;
const FLOOD = 200;

describe('passkeys', () => {
  const clock = { offset: 0, now: () => Date.now() + clock.offset };
  const platform = usePlatform(() => ({ clock, config: { PUBLIC_URL: ORIGIN } }));
  beforeEach(() => {
    clock.offset = 0;
  });

  const beginLogin = async (): Promise<string> => {
    const { status, body } = await platform.anonymous.post('/login/passkey/options', {});
    assert.equal(status, 200, JSON.stringify(body));
    return body.options.challenge;
  };
  const logIn = (credential: unknown) => platform.anonymous.post('/login/passkey', { credential });
  const begin = async ({ api, password }: TestUser): Promise<string> =>
    (await api.post('/passkeys/options', { current_password: password })).body.options.challenge;
  const add = ({ api }: TestUser, credential: unknown) => api.post('/passkeys', { name: 'Phone', credential });
  const withPasskey = async () => {
    const [user, phone] = [await platform.user(), new Authenticator(ORIGIN)];
    const added = await add(user, phone.create(await begin(user)));
    assert.equal(added.status, 201, JSON.stringify(added.body));
    return { user, phone };
  };
  const kept = async () => {
    const keys = await platform.container.redis.keys(`*${platform.container.config.redisPrefix}*`);
    const [row] = await platform.query('SELECT COUNT(*) AS count FROM oauth1_nonces');
    return { keys: keys.length, rows: Number(row?.count) };
  };

  it('sign in once by each challenge', async () => {
    const { phone } = await withPasskey();
    const signed = phone.get(await beginLogin());
    const both = await Promise.all([logIn(signed), logIn(signed)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401]);
    assert.equal((await logIn(signed)).status, 401);
    assert.equal((await logIn(phone.get(await beginLogin()))).status, 200);
  });

  it('refuse a challenge that is old, changed, of another purpose, or was never issued', async () => {
    const { user, phone } = await withPasskey();
    const old = await beginLogin();
    clock.offset = LIFE_MS + 1_000;
    assert.equal((await logIn(phone.get(old))).status, 401);
    const challenge = await beginLogin();
    const changed = `${challenge[0] === 'A' ? 'B' : 'A'}${challenge.slice(1)}`;
    for (const wrong of [changed, await begin(user), 'AAAA', ''])
      assert.equal((await logIn(phone.get(wrong))).status, 401, wrong);
    assert.equal((await logIn(phone.get(challenge))).status, 200, 'what was refused uses nothing up');
  });

  it('are added by a challenge of the same session, once', async () => {
    const [user, other] = [await platform.user(), await platform.user()];
    const challenge = await begin(user);
    assert.equal((await add(other, new Authenticator(ORIGIN).create(challenge))).status, 403);
    assert.equal((await add(user, new Authenticator(ORIGIN).create(await beginLogin()))).status, 403);
    assert.equal((await add(user, new Authenticator(ORIGIN).create(challenge))).status, 201);
    assert.equal((await add(user, new Authenticator(ORIGIN).create(challenge))).status, 403);
  });

  it('store nothing for options that nobody signs', async () => {
    const before = await kept();
    for (let count = 0; count < FLOOD; count += 1) await beginLogin();
    const after = await kept();
    assert.equal(after.rows, before.rows);
    assert.ok(after.keys < before.keys + FLOOD / 10, `${before.keys} keys, then ${after.keys}`);
  });
});
