import assert from 'node:assert/strict';
import {
  buildGroup,
  buildNotification,
  buildSensor,
  buildTrigger,
  connectTrigger,
  create,
} from '../../support/factories';
import { accept, join, shareWithGroup } from '../../support/groups';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import type { TestUser } from '../../support/platform';

describe('the history: names of what was changed', () => {
  const platform = usePlatform();
  const ada = useUserPerTest(platform);
  const grace = useUserPerTest(platform);

  const changesOf = async ({ api }: TestUser, query: string) => {
    const { status, body } = await api.get(`/audit?sort=ASC&${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.records.map(({ changed, references }: Record<string, unknown>) => ({ changed, references }));
  };

  it('are as they are now, and go with the thing', async () => {
    const sensor = await buildSensor(ada, { name: 'freezer' });
    const trigger = await buildTrigger(ada);
    const notification = await buildNotification(ada, { name: 'mail' });
    await connectTrigger(ada, sensor, trigger);
    await create(ada, `/triggers/${trigger}/notifications`, { notification: { id: notification } });
    const query = `subject_kind=trigger&subject_id=${trigger}`;
    const [, connected, notified] = await changesOf(ada, query);
    assert.deepEqual(connected.references, [{ field: 'sensors', kind: 'sensor', id: sensor, name: 'freezer' }]);
    assert.deepEqual(notified.references, [
      { field: 'notifications', kind: 'notification', id: notification, name: 'mail' },
    ]);
    await ada.api.put(`/sensors/${sensor}`, { sensor: { name: 'freezer 2' } });
    assert.equal((await changesOf(ada, query))[1].references[0].name, 'freezer 2');
    await ada.api.delete(`/sensors/${sensor}`);
    const gone = (await changesOf(ada, query))[1];
    assert.deepEqual(gone, { changed: connected.changed, references: [] });
  });

  it('are those of its members in a group, and only those that the reader may see', async () => {
    const group = await buildGroup(ada, { name: 'night shift', hidden: 1, required_show_username: 1 });
    await join(grace, group);
    const rights = { group_permissions: { edit_group: true, list_sensors: true } };
    await accept(ada, group, grace, rights);
    const sensor = await buildSensor(ada, { name: 'freezer' });
    await shareWithGroup(ada, group, sensor);
    const shared = { field: 'sensors', kind: 'sensor', id: sensor, name: 'freezer' };
    const named = async (reader: TestUser) => {
      const records = await changesOf(reader, `group_id=${group}`);
      return records.flatMap(({ references }: { references: object[] }) => references);
    };
    const ofGrace = (await named(ada)).filter(({ id, kind }: typeof shared) => kind === 'user' && id === grace.id);
    assert.ok(ofGrace.length > 0);
    for (const { field, name } of ofGrace) assert.equal(name, grace.username, field);
    assert.deepEqual((await named(grace)).at(-1), shared);
    const withoutList = { group_permissions: { list_sensors: false } };
    assert.equal((await ada.api.put(`/groups/${group}/users/${grace.id}`, withoutList)).status, 200);
    assert.ok(!JSON.stringify(await named(grace)).includes('freezer'));
  });

  it('do not tell the name of a hidden group to whom it has removed', async () => {
    const group = await buildGroup(ada, { name: 'night shift', hidden: 1 });
    const invitation = { username: grace.username };
    assert.equal((await ada.api.post(`/groups/${group}/invitations`, { invitation })).status, 201);
    await join(grace, group);
    await accept(ada, group, grace);
    const invited = async () => (await changesOf(grace, 'subject_kind=invitation'))[0].references;
    const named = { field: 'group_id', kind: 'group', id: group, name: 'night shift' };
    assert.ok((await invited()).some((one: object) => JSON.stringify(one) === JSON.stringify(named)));
    await ada.api.delete(`/groups/${group}/users/${grace.id}`);
    assert.ok(!JSON.stringify(await invited()).includes('night shift'));
  });
});
