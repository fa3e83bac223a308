import assert from 'node:assert/strict';
import { buildGroup, buildSensor, buildTrigger, connectTrigger, upload } from '../../support/factories';
import { accept, join } from '../../support/groups';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import type { TestUser } from '../../support/platform';

describe('the history of a member: what others did', () => {
  const platform = usePlatform();
  const ada = useUserPerTest(platform);
  const grace = useUserPerTest(platform);
  const linus = useUserPerTest(platform);

  const history = async ({ api }: TestUser, query: string) => {
    const { status, body } = await api.get(`/audit?sort=ASC&${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.records;
  };
  const actionsIn = (records: { action: string }[]) => records.map(({ action }) => action);

  it('has the invitation, the acceptance, each change of rights and the removal, and nothing of other members', async () => {
    const groupId = await buildGroup(ada, { name: 'Cold stores', hidden: 1 });
    const invitation = { username: grace.username };
    assert.equal((await ada.api.post(`/groups/${groupId}/invitations`, { invitation })).status, 201);
    for (const one of [grace, linus]) await join(one, groupId);
    const users = [grace, linus].map(({ id }) => ({ user: { id }, group_permissions: { see_alerts: true } }));
    assert.equal((await ada.api.post(`/groups/${groupId}/users`, { users })).status, 201);
    const path = `/groups/${groupId}/users/${grace.id}`;
    await ada.api.put(path, { group_permissions: { handle_alerts: true } });
    assert.equal((await ada.api.delete(path)).status, 200);

    const [invited] = await history(grace, 'subject_kind=invitation');
    assert.deepEqual([invited.who.id, invited.changed.group_id], [ada.id, [null, groupId]]);
    const records = await history(grace, 'subject_kind=membership');
    assert.deepEqual(actionsIn(records), ['addGroupUsers', 'updateGroupUser', 'removeGroupUser']);
    for (const { who, address, subject } of records) {
      assert.deepEqual(who, { id: ada.id, username: null }, 'in this group ada hides the name');
      assert.equal(address, null);
      assert.deepEqual(subject, { kind: 'membership', id: groupId, name: 'Cold stores' });
    }
    const [accepted, changed, removed] = records.map((one: { changed: object }) => one.changed);
    assert.equal(accepted[`users/${grace.id}/see_alerts`][1], true);
    assert.ok(!JSON.stringify(accepted).includes(linus.id), JSON.stringify(accepted));
    assert.deepEqual(changed, { [`users/${grace.id}/handle_alerts`]: [false, true] });
    assert.deepEqual(removed.users, [[grace.id], []]);
    assert.deepEqual(await history(ada, 'subject_kind=membership'), []);
    assert.equal((await history(ada, `subject_kind=group&subject_id=${groupId}&action=removeGroupUser`)).length, 1);
  });

  it('names members who show their name, and has what the member did with the alert of a colleague', async () => {
    const groupId = await buildGroup(ada, { required_show_username: 1 });
    await join(grace, groupId);
    await accept(ada, groupId, grace, { group_permissions: { see_alerts: true, handle_alerts: true } });
    const shown = { display_user_info: { show_username: true } };
    assert.equal((await ada.api.put(`/groups/${groupId}/users/${ada.id}`, shown)).status, 200);
    const [accepted] = await history(grace, 'subject_kind=membership');
    assert.equal(accepted.who.username, ada.username);
    const sensorId = await buildSensor(ada);
    const triggerId = await buildTrigger(ada, { repeat: 0, group_id: groupId });
    await connectTrigger(ada, sensorId, triggerId);
    await upload(ada, sensorId, { value: 31 });
    await platform.settle();
    const [{ id }] = (await grace.api.get('/firings')).body.firings;
    assert.equal((await grace.api.post(`/firings/${id}/resolve`, {})).status, 200);
    for (const one of [ada, grace]) {
      const [resolved, ...more] = await history(one, 'subject_kind=firing');
      assert.deepEqual([resolved.action, resolved.who.id, more], ['resolveFiring', grace.id, []]);
    }
  });
});
