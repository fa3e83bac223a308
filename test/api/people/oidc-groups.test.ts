import assert from 'node:assert/strict';
import { BegunLogin, startForgingProvider } from '../../support/forging-provider';
import { useForAll, usePlatform } from '../../support/hooks';

/** The groups of the tests: the first ones of the platform. */
const GROUPS = 'staff=1,/ops=2,demanding=3,nowhere=999';

describe('groups at the identity provider', () => {
  const provider = useForAll(
    () => startForgingProvider(),
    (started) => started.close(),
  );
  const platform = usePlatform(() => ({
    config: provider.settings({ OIDC_CREATE_USERS: 'true', OIDC_GROUPS_CLAIM: 'groups', OIDC_GROUPS: GROUPS }),
  }));
  const owner = useForAll(() => platform.user());
  before(async () => {
    const groups = [
      { name: 'staff' },
      { name: 'ops', hidden: true },
      { name: 'demanding', required_sensors: ['hall'] },
    ];
    for (const [index, group] of groups.entries()) {
      const { status, body } = await owner.api.post('/groups', { group });
      assert.deepEqual([status, body.group?.id], [201, String(index + 1)], JSON.stringify(body));
    }
  });

  const logIn = async (sub: string, said: Record<string, unknown>) => {
    provider.forge({ said: { sub, ...said } });
    const login = await BegunLogin.at(platform.url, provider);
    assert.equal((await login.finish()).status, 303);
    const headers = { 'X-SESSION_ID': login.session(platform.url) ?? '' };
    const { body } = await platform.anonymous.get('/users/current', headers);
    return { id: String(body.user.id), headers };
  };
  const groupsOf = async (id: string) => {
    const rows = await platform.query('SELECT group_id, accepted FROM group_users WHERE user_id = ? ORDER BY 1', [id]);
    return rows.map(({ group_id, accepted }) => (accepted ? Number(group_id) : -Number(group_id)));
  };

  it('are joined and left with each login', async () => {
    const { id } = await logIn('follower', { groups: ['staff', '/ops', 'of no group here'] });
    assert.deepEqual(await groupsOf(id), [1, 2]);
    await logIn('follower', { groups: ['/ops'] });
    assert.deepEqual(await groupsOf(id), [2]);
    await logIn('follower', { groups: ['staff'] });
    assert.deepEqual(await groupsOf(id), [1]);
    await logIn('follower', {});
    assert.deepEqual(await groupsOf(id), []);
  });

  it('give the rights of new members', async () => {
    const { headers } = await logIn('newcomer', { groups: ['/ops'] });
    const { body } = await platform.anonymous.get('/groups/2', headers);
    assert.equal(body.group.name, 'ops');
    const edit = await platform.anonymous.delete(`/groups/2/users/${owner.id}`, undefined, headers);
    assert.equal(edit.status, 403);
  });

  it('do not count by the name that a user gives to a group', async () => {
    const attacker = await platform.user();
    const { body } = await attacker.api.post('/groups', { group: { name: 'staff' } });
    const { id } = await logIn('member of staff', { groups: ['staff'] });
    assert.deepEqual(await groupsOf(id), [1]);
    assert.notEqual(body.group.id, '1');
  });

  it('accept those who wait, and leave memberships that people made', async () => {
    const { id, headers } = await logIn('waiting', {});
    await platform.anonymous.post('/groups/1/users', { users: [{ user: { id } }] }, headers);
    assert.deepEqual(await groupsOf(id), [-1]);
    await logIn('waiting', { groups: ['staff'] });
    assert.deepEqual(await groupsOf(id), [1]);
    const invited = await logIn('invited', {});
    await platform.anonymous.post('/groups/1/users', { users: [{ user: { id: invited.id } }] }, invited.headers);
    const accepted = await owner.api.post('/groups/1/users', { users: [{ user: { id: invited.id } }] });
    assert.equal(accepted.status, 201, JSON.stringify(accepted.body));
    await logIn('invited', { groups: ['staff'] });
    await logIn('invited', {});
    assert.deepEqual(await groupsOf(invited.id), [1]);
  });

  it('stay when the provider leaves the list out, which is too long', async () => {
    const { id } = await logIn('of many groups', { groups: ['staff'] });
    await logIn('of many groups', { _claim_names: { groups: 'src1' } });
    assert.deepEqual(await groupsOf(id), [1]);
  });

  it('do not stop a login if one of them cannot be joined', async () => {
    const { id } = await logIn('without a sensor', { groups: ['demanding', 'nowhere', 'staff'] });
    assert.deepEqual(await groupsOf(id), [1]);
  });

  it('never end with their last member', async () => {
    const { id } = await logIn('last', { groups: ['/ops'] });
    await platform.query('DELETE FROM group_users WHERE group_id = 2 AND user_id <> ?', [id]);
    await logIn('last', {});
    assert.deepEqual(await groupsOf(id), [2]);
  });
});
