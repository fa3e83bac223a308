import assert from 'node:assert/strict';
import { readConfig } from '../../../src/platform/config';
import { apiClient } from '../../support/api-client';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform } from '../../support/hooks';
import { setUpTotp } from '../../support/second-factor';

const OPERATOR = { Authorization: `Basic ${Buffer.from('operator:board-password').toString('base64')}` };
const PAGE = { Accept: 'text/html' };

describe('a required second factor', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock, config: { REQUIRE_SECOND_FACTOR: 'all' } });

  it('is all that an account without one may set up, also in sessions from before', async () => {
    const user = await platform.user();
    for (const refused of [
      await user.api.get('/sensors'),
      await user.api.post('/sensors', { sensor: { name: 'x' } }),
      await user.api.put(`/users/${user.id}`, { user: { name: 'Other' } }),
      await user.api.post('/keys', { key: { name: 'x' } }),
    ]) {
      assert.deepEqual([refused.status, refused.body.code], [403, 'second_factor_missing']);
    }
    const page = await platform.anonymous.get('/oauth/authorizations', {
      ...PAGE,
      Cookie: `session_id=${user.session}`,
    });
    assert.equal(page.status, 403);
    for (const path of ['/users/current', '/second_factors', '/sessions']) {
      assert.equal((await user.api.get(path)).status, 200, path);
    }
    await setUpTotp(user, clock);
    assert.equal((await user.api.get('/sensors')).status, 200);
    const key = (await user.api.post('/keys', { key: { name: 'device', scopes: ['read'] } })).body.key.secret;
    await user.api.post('/second_factors/totp/remove', { current_password: user.password });
    assert.equal((await user.api.get('/sensors')).status, 403);
    const byKey = apiClient(platform.url, { Authorization: `Bearer ${key}` });
    assert.equal((await byKey.get('/sensors')).status, 200, 'keys are not asked');
  });
});

describe('a required second factor of operators', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock, config: { REQUIRE_SECOND_FACTOR: 'operators', OPERATOR_ACCOUNTS: '1, 2' } });

  it('is asked of their accounts only, one of which also signs in for their pages', async () => {
    const [operator, , other] = [await platform.user(), await platform.user(), await platform.user()];
    assert.deepEqual([operator.id, other.id], ['1', '3']);
    assert.equal((await other.api.get('/sensors')).status, 200);
    assert.equal((await operator.api.get('/sensors')).status, 403);
    await setUpTotp(other, clock);
    const statusOf = async (path: string, session?: string) =>
      (await platform.anonymous.get(path, { ...OPERATOR, ...(session && { Cookie: `session_id=${session}` }) })).status;
    for (const path of ['/admin', '/admin/users', '/admin/queues']) {
      assert.equal(await statusOf(path), 403, path);
      assert.equal(await statusOf(path, other.session), 403, path);
      assert.equal(await statusOf(path, operator.session), 403, path);
    }
    await setUpTotp(operator, clock);
    for (const path of ['/admin', '/admin/users', '/admin/queues']) {
      assert.equal(await statusOf(path, operator.session), 200, path);
      const session = { Cookie: `session_id=${operator.session}` };
      assert.equal((await platform.anonymous.get(path, session)).status, 401, `${path}, without its own login`);
    }
  });

  it('needs their accounts in the settings', () => {
    const servers = { MYSQL_URL: 'mysql://a/b', REDIS_URL: 'redis://a' };
    assert.throws(
      () => readConfig({ ...servers, REQUIRE_SECOND_FACTOR: 'operators' }),
      /OPERATOR_ACCOUNTS: is required/,
    );
    const wrong = { ...servers, REQUIRE_SECOND_FACTOR: 'operators', OPERATOR_ACCOUNTS: 'ann' };
    assert.throws(() => readConfig(wrong), /OPERATOR_ACCOUNTS: must be ids of accounts/);
  });
});
