import assert from 'node:assert/strict';
import { type Api, apiClient } from '../../support/api-client';
import { usePlatform } from '../../support/hooks';

const OTHER_DIGEST = 'ffffffffffffffffffffffffffffffff';

describe('refused logins', () => {
  const platform = usePlatform({ config: { TRUST_PROXY: '1', RATE_LIMIT_REFUSED_LOGINS: '3' } });

  const login = async (username: string, password: string, address: string) =>
    apiClient(platform.url, { 'X-Forwarded-For': address }).post('/login', { username, password });

  it('are limited per username and address, in any letter case', async () => {
    const user = await platform.user();
    for (const name of [user.username, user.username.toUpperCase(), ` ${user.username}`]) {
      assert.equal((await login(name, OTHER_DIGEST, '198.51.100.9')).status, 401);
    }
    const limited = await login(user.username, user.password, '198.51.100.9');
    assert.equal(limited.status, 429);
    const wait = Number(limited.headers.get('retry-after'));
    assert.ok(wait > 780 && wait <= 900, `Retry-After ${wait}`);
    assert.equal((await user.api.get('/users/current')).status, 200);
    assert.equal((await login((await platform.user()).username, OTHER_DIGEST, '198.51.100.9')).status, 401);
    assert.equal((await login(user.username, user.password, '198.51.100.10')).status, 200, 'others do not suffer');
  });

  it('are limited per username to ten times as many over all addresses, which locks nobody out where they were', async () => {
    const user = await platform.user();
    const [home, away] = ['198.51.101.1', '198.51.101.2'];
    assert.equal((await login(user.username, user.password, home)).status, 200);
    for (let i = 0; i < 30; i += 1) {
      assert.equal((await login(user.username, OTHER_DIGEST, `198.51.102.${Math.floor(i / 3)}`)).status, 401);
    }
    assert.equal((await login(user.username, user.password, away)).status, 429);
    assert.equal((await login(user.username, user.password, home)).status, 200);
    const fromSession = apiClient(platform.url, { 'X-SESSION_ID': user.session, 'X-Forwarded-For': away });
    const change = { current_password: user.password, new_password: OTHER_DIGEST };
    assert.equal((await fromSession.post('/change_password', change)).status, 200);
    assert.equal((await login(user.username, OTHER_DIGEST, home)).status, 429, 'that ended the session from there');
  });

  it('from an address that the account knows are limited there, and nowhere else', async () => {
    const user = await platform.user();
    const home = '2001:db8:7:7::1';
    assert.equal((await login(user.username, user.password, home)).status, 200);
    for (let i = 0; i < 3; i += 1) {
      assert.equal((await login(user.username, OTHER_DIGEST, `2001:db8:7:7::${i + 2}`)).status, 401);
    }
    assert.equal((await login(user.username, user.password, home)).status, 429);
    assert.equal((await login(user.username, user.password, '198.51.103.1')).status, 200);
  });

  it('of a session are limited for the session', async () => {
    const user = await platform.user();
    const change = (api: Api, current_password: string) =>
      api.post('/change_password', { current_password, new_password: OTHER_DIGEST });
    for (let i = 0; i < 3; i += 1) assert.equal((await change(user.api, OTHER_DIGEST)).status, 403);
    assert.equal((await change(user.api, user.password)).status, 429);
    const session = (await login(user.username, user.password, '198.51.104.1')).body.session_id;
    assert.equal((await change(apiClient(platform.url, { 'X-SESSION_ID': session }), user.password)).status, 200);
  });

  it('under the name of the board, or of a group, lock neither', async () => {
    const address = '192.0.2.77';
    for (const name of [`\0board\0${address}`, address, `board ${address}`]) {
      for (let i = 0; i < 4; i += 1) await login(name, OTHER_DIGEST, '198.51.100.77');
    }
    const board = await fetch(`${platform.url}/admin/queues/`, {
      headers: {
        'X-Forwarded-For': address,
        Authorization: `Basic ${Buffer.from('operator:board-password').toString('base64')}`,
      },
    });
    assert.equal(board.status, 200);
  });

  it('are limited per address to ten times as many', async () => {
    for (let i = 0; i < 30; i += 1) assert.equal((await login(`nobody-${i}`, OTHER_DIGEST, '203.0.113.5')).status, 401);
    const user = await platform.user();
    assert.equal((await login(user.username, user.password, '203.0.113.5')).status, 429);
    assert.equal((await login(user.username, user.password, '203.0.113.6')).status, 200);
  });

  it('are counted per network of an IPv6 client', async () => {
    for (let i = 0; i < 30; i += 1) {
      const address = i % 2 ? `2001:db8:1:2::${i}` : `2001:DB8:1:2:ffff:${i}::1`;
      assert.equal((await login(`nobody-six-${i}`, OTHER_DIGEST, address)).status, 401);
    }
    const user = await platform.user();
    assert.equal((await login(user.username, user.password, '2001:db8:1:2:abcd:1:2:3')).status, 429);
    assert.equal((await login(user.username, user.password, '2001:db8:1:3::1')).status, 200);
  });

  it('are counted per IPv4 address when an IPv4 client connects over IPv6', async () => {
    for (let i = 0; i < 30; i += 1) {
      const address = i % 2 ? '::ffff:203.0.113.9' : '203.0.113.9';
      assert.equal((await login(`nobody-mapped-${i}`, OTHER_DIGEST, address)).status, 401);
    }
    const user = await platform.user();
    assert.equal((await login(user.username, user.password, '203.0.113.9')).status, 429);
    assert.equal((await login(user.username, user.password, '::ffff:203.0.113.10')).status, 200);
  });

  it('are counted without successful logins', async () => {
    const user = await platform.user();
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => login(user.username, user.password, '203.0.113.7')),
    );
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
  });

  it('are counted under keys that expire and do not contain the username', async () => {
    const { username } = await platform.user();
    await login(username, OTHER_DIGEST, '203.0.113.8');
    const { redis, config } = platform.container;
    const keys = await redis.keys(`{${config.redisPrefix}}:refused-logins:*`);
    assert.ok(keys.length > 0);
    for (const key of keys) {
      assert.ok(!key.includes(username));
      assert.ok((await redis.pttl(key)) > 0);
    }
  });
});
