import assert from 'node:assert/strict';
import { createClient } from '../../../client/src';
import { usePlatform } from '../../support/hooks';
import type { TestUser } from '../../support/platform';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('the list of sessions', () => {
  const clock = { offset: 0, now: () => Date.now() + clock.offset };
  const platform = usePlatform({ clock, config: { TRUST_PROXY: '1', SESSION_IDLE_DAYS: '90' } });

  const login = async ({ username, password }: TestUser, address: string, agent = ''): Promise<string> => {
    const headers = { 'X-Forwarded-For': address, 'User-Agent': agent };
    return (await platform.anonymous.post('/login', { username, password }, headers)).body.session_id;
  };
  const statusOf = async (session: string) =>
    (await platform.anonymous.get('/users/current', { 'X-SESSION_ID': session })).status;
  const clientOf = (session: string) => createClient({ baseUrl: platform.url, session });
  const listOf = async ({ session }: TestUser, query: { per_page?: number; page?: number; total?: boolean } = {}) =>
    clientOf(session).get('/sessions', { params: { query } });

  it('shows when and where each began, when it was last used and which is in use, and no secrets', async () => {
    const user = await platform.user();
    await platform.user();
    const begun = clock.now() / 1000;
    const phone = await login(user, '2001:db8::7', `Phone/1.0 ${'x'.repeat(300)}`);
    const list = await listOf(user, { total: true });
    assert.equal(list.total, 2);
    const [own, other] = list.sessions;
    assert.ok(own && other);
    assert.deepEqual(Object.keys(own), ['id', 'address', 'user_agent', 'created', 'last_used', 'current']);
    assert.deepEqual([own.current, other.current, other.address], [true, false, '2001:db8::7']);
    assert.ok(Math.abs(other.created - begun) < 60 && other.last_used === other.created);
    assert.equal(other.user_agent, `Phone/1.0 ${'x'.repeat(300)}`.slice(0, 255));
    assert.match(other.id, /^\d+$/);
    assert.ok(!JSON.stringify(list).includes(phone) && !JSON.stringify(list).includes(user.session));
    const seenFromPhone = await listOf({ ...user, session: phone });
    assert.deepEqual(
      seenFromPhone.sessions.map(({ id, current }) => [id, current]),
      [
        [own.id, false],
        [other.id, true],
      ],
    );
    const page = await listOf(user, { per_page: 1, page: 1 });
    assert.deepEqual(
      page.sessions.map(({ id }) => id),
      [other.id],
    );
  });

  it('keeps the latest use to the hour, and leaves out what has ended for want of use', async () => {
    const user = await platform.user();
    const unused = await login(user, '192.0.2.8');
    const lastUsed = async () => (await listOf(user)).sessions.find(({ current }) => current)?.last_used ?? 0;
    const before = await lastUsed();
    clock.offset += HOUR_MS + 1_000;
    await user.api.get('/sensors'); // noted without anybody waiting
    while ((await lastUsed()) === before) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.ok((await lastUsed()) - before >= 3_600);
    clock.offset += 60 * DAY_MS;
    assert.equal((await listOf(user)).sessions.length, 2);
    while (clock.now() / 1000 - (await lastUsed()) > 3_600) await new Promise((resolve) => setTimeout(resolve, 20));
    clock.offset += 31 * DAY_MS;
    assert.deepEqual(
      (await listOf(user)).sessions.map(({ current }) => current),
      [true],
    );
    assert.equal(await statusOf(unused), 401);
  });

  it('ends one of them, or all others, from their next request on', async () => {
    const user = await platform.user();
    const bystander = await platform.user();
    const [phone, tablet, library] = [
      await login(user, '192.0.2.1'),
      await login(user, '192.0.2.2'),
      await login(user, '192.0.2.3'),
    ];
    const { sessions } = await listOf(user);
    const idAt = (address: string) => sessions.find((each) => each.address === address)?.id;
    const ended = await user.api.delete(`/sessions/${idAt('192.0.2.3')}`);
    assert.deepEqual([ended.status, ended.body], [200, {}]);
    assert.deepEqual([await statusOf(library), await statusOf(phone)], [401, 200]);
    assert.equal((await user.api.delete(`/sessions/${idAt('192.0.2.3')}`)).status, 404);
    const others = await user.api.delete('/sessions');
    assert.deepEqual([others.status, others.body], [200, {}]);
    const all = [phone, tablet, user.session, bystander.session];
    assert.deepEqual(await Promise.all(all.map(statusOf)), [401, 401, 200, 200]);
    const [own] = (await listOf(user)).sessions;
    await clientOf(user.session).delete('/sessions/{id}', { params: { path: { id: own?.id ?? '' } } });
    assert.equal((await user.api.get('/users/current')).status, 401);
  });

  it('belongs to its user alone, whatever is put in its place', async () => {
    const [user, stranger] = [await platform.user(), await platform.user()];
    const [own] = (await listOf(user)).sessions;
    assert.equal((await stranger.api.delete(`/sessions/${own?.id}`)).status, 404);
    for (const wrong of ['0', '-1', '1.5', 'all', '99999999999999999999', '%27%20OR%201=1']) {
      assert.equal((await user.api.delete(`/sessions/${wrong}`)).status, 404, wrong);
    }
    assert.equal((await stranger.api.delete('/sessions')).status, 200);
    assert.equal((await platform.anonymous.get('/sessions')).status, 401);
    assert.equal(await statusOf(user.session), 200);
    const { body } = await user.api.post('/keys', { key: { name: 'a key', scopes: ['read', 'write'] } });
    const byKey = await platform.anonymous.get('/sessions', { Authorization: `Bearer ${body.key.secret}` });
    assert.deepEqual([byKey.status, byKey.body.code], [403, 'session_required']);
  });
});
