import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readConfig } from '../../../src/platform/config';
import { apiClient } from '../../support/api-client';
import { usePlatform } from '../../support/hooks';
import type { Platform } from '../../support/platform';

const CODE = 'an invitation of the operator';

const register = (platform: Platform, name: string, more: Record<string, unknown> = {}, address = '192.0.2.1') => {
  const user = { username: name, email: `${name}@example.org`, password: createHash('md5').update(name).digest('hex') };
  return apiClient(platform.url, { 'X-Forwarded-For': address }).post('/users', { user, disable_mail: 1, ...more });
};

describe('a platform that takes no registrations', () => {
  const platform = usePlatform({ config: { REGISTRATION: 'closed' } });

  it('refuses them by their code', async () => {
    const { status, body } = await register(platform, 'anna');
    assert.deepEqual([status, body.code], [403, 'registration_closed']);
    assert.deepEqual(await platform.query('SELECT id FROM users'), []);
  });
});

describe('a platform that registers by invitation', () => {
  const platform = usePlatform({ config: { REGISTRATION: 'invite', REGISTRATION_CODE: CODE } });

  it('takes those who know the code', async () => {
    assert.equal((await register(platform, 'anna')).status, 403);
    assert.equal((await register(platform, 'anna', { invitation: `${CODE}.` })).status, 403);
    assert.equal((await register(platform, 'anna', { invitation: CODE })).status, 201);
  });

  it('does not start without a code', () => {
    const settings = { MYSQL_URL: 'mysql://a/b', REDIS_URL: 'redis://a', REGISTRATION: 'invite' };
    assert.throws(() => readConfig(settings), /REGISTRATION_CODE: is required with REGISTRATION=invite/);
  });
});

describe('registrations', () => {
  const platform = usePlatform({ config: { RATE_LIMIT_REGISTRATIONS: '3', TRUST_PROXY: '1' } });

  it('are limited per address and hour', async () => {
    for (const name of ['a1', 'a2', 'a3']) assert.equal((await register(platform, name)).status, 201);
    const refused = await register(platform, 'a4');
    assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
    const retryAfter = Number(refused.headers.get('retry-after'));
    assert.ok(retryAfter > 1_100 && retryAfter <= 1_200, `${retryAfter} s: a third of an hour`);
    assert.equal((await register(platform, 'a4', {}, '192.0.2.2')).status, 201);
  });

  it('are limited per network of an IPv6 client', async () => {
    const from = (name: string, address: string) => register(platform, name, {}, address);
    for (const [index, address] of ['2001:db8:1:2::1', '2001:DB8:1:2:ffff:1::2', '2001:db8:1:2:a:b:c:d'].entries()) {
      assert.equal((await from(`six-${index}`, address)).status, 201);
    }
    assert.equal((await from('six', '2001:db8:1:2:1:2:3:4')).status, 429);
    assert.equal((await from('six', '2001:db8:1:3::1')).status, 201);
  });
});
