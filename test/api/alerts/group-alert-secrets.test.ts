import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { buildGroup, buildSensor, buildTrigger, connectTrigger, upload } from '../../support/factories';
import { accept, join } from '../../support/groups';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import { linkIn, Mailbox } from '../../support/mailbox';
import type { TestUser } from '../../support/platform';

describe('what members of a group do not learn by an alert, and do not change', () => {
  const mailbox = Mailbox.use();
  const platform = usePlatform(() => ({ config: { ...mailbox.settings, MAIL_CONFIRMATION: 'off' } }));
  const ada = useUserPerTest(platform);
  const grace = useUserPerTest(platform);
  const linus = useUserPerTest(platform);

  const enter = async (groupId: string, member: TestUser, rights: object, display: object = {}) => {
    await join(member, groupId, { display_user_info: display });
    await accept(ada, groupId, member, { group_permissions: rights });
  };
  const handling = { see_alerts: true, handle_alerts: true };
  const fire = async (owner: TestUser, groupId: string, fields: Record<string, unknown> = {}) => {
    const sensorId = await buildSensor(owner, fields);
    const triggerId = await buildTrigger(owner, { name: 'too warm', repeat: 0, group_id: groupId });
    await connectTrigger(owner, sensorId, triggerId);
    await upload(owner, sensorId, { value: 31 });
    await platform.settle();
    const { firings } = (await owner.api.get(`/firings?trigger_id=${triggerId}`)).body;
    return { sensorId, triggerId, id: String(firings[0].id) };
  };

  it('is the address to which a mail went whose link acknowledged', async () => {
    const groupId = await buildGroup(ada);
    await enter(groupId, grace, handling);
    const { triggerId } = await buildAlarm(ada, {
      trigger: { name: 'too warm', repeat: 0, group_id: groupId },
      notifications: [{ type: 'email', destination: 'ward@example.org', text: 'x', person: 'Ward' }],
    });
    const [{ id: sensorId }] = (await ada.api.get('/sensors')).body.sensors;
    await upload(ada, sensorId, { value: 31 });
    await platform.settle();
    const link = linkIn(mailbox.mails.at(-1)?.text ?? '', 'acknowledge');
    assert.equal((await platform.anonymous.post(link)).status, 200);
    const of = async ({ api }: TestUser) =>
      (await api.get(`/firings?trigger_id=${triggerId}`)).body.firings[0].acknowledged;
    assert.equal((await of(ada)).note, 'by the link in a mail to ward@example.org');
    const seen = await of(grace);
    assert.deepEqual([seen.person, seen.note], ['Ward', 'by the link in a message']);
    const csv = String((await grace.api.get(`/firings.csv?trigger_id=${triggerId}`)).body);
    assert.ok(csv.includes('by the link in a message') && !csv.includes('ward@'), csv);
  });

  it('is who the others are that hide their names: an alert is assigned to known users only', async () => {
    const groupId = await buildGroup(ada);
    await enter(groupId, grace, handling);
    await enter(groupId, linus, handling);
    const { id } = await fire(grace, groupId);
    const assign = (by: TestUser, to: TestUser) => by.api.post(`/firings/${id}/assign`, { user_id: to.id });
    for (const by of [grace, linus]) {
      assert.equal((await assign(by, ada)).status, 400);
      assert.equal((await assign(by, by)).status, 200, 'users know themselves');
      assert.equal((await assign(by, grace)).status, 200, 'and whose alert it is');
    }
    assert.equal((await assign(grace, linus)).status, 400);
    assert.equal((await assign(ada, linus)).status, 200, 'who accepts members knows them');
    const rights = { group_permissions: { list_users: true } };
    assert.equal((await assign(grace, grace)).status, 200);
    await ada.api.put(`/groups/${groupId}/users/${grace.id}`, rights);
    assert.equal((await assign(grace, linus)).status, 400);
    const shown = { display_user_info: { show_username: true } };
    assert.equal((await linus.api.put(`/groups/${groupId}/users/${linus.id}`, shown)).status, 200);
    assert.equal((await assign(grace, linus)).status, 200);
  });

  it('is the name of a sensor that has another name for others', async () => {
    const groupId = await buildGroup(ada);
    await enter(groupId, grace, handling);
    const { id } = await fire(ada, groupId, { name: 'rack-4711', display_name: 'Fridge' });
    const find = async ({ api }: TestUser, text: string) =>
      (await api.get(`/firings?search=${text}`)).body.firings.map((one: { id: string }) => one.id);
    assert.deepEqual([await find(ada, '4711'), await find(ada, 'fridge')], [[id], [id]]);
    assert.deepEqual([await find(grace, '4711'), await find(grace, 'fridge')], [[], [id]]);
  });

  it('is the note of another member, who keeps it', async () => {
    const groupId = await buildGroup(ada);
    for (const one of [grace, linus]) await enter(groupId, one, handling);
    const { id } = await fire(ada, groupId);
    const acknowledge = async ({ api }: TestUser, note?: string) => {
      const { status, body } = await api.post(`/firings/${id}/acknowledge`, { note });
      assert.equal(status, 200);
      return [body.firing.acknowledged.username, body.firing.acknowledged.note];
    };
    const { username } = grace;
    assert.deepEqual(await acknowledge(grace, 'on my way'), [username, 'on my way']);
    assert.deepEqual(await acknowledge(linus, 'I broke it'), [username, 'on my way']);
    assert.deepEqual(await acknowledge(ada, 'so do I'), [username, 'on my way']);
    assert.deepEqual(await acknowledge(grace, 'done'), [username, 'done']);
    assert.deepEqual(await acknowledge(grace), [username, 'done']);
  });

  it('is a mute of the owner that happens to have its name', async () => {
    const groupId = await buildGroup(ada);
    await enter(groupId, grace, handling);
    const { id, sensorId, triggerId } = await fire(ada, groupId);
    const [start, end] = [4_000_000_000, 4_000_003_600];
    const mute = { name: `by ${grace.username}`, start, end, sensors: [sensorId], triggers: [triggerId] };
    const made = (await ada.api.post('/mutes', { mute })).body.mute;
    const until = Math.floor(Date.now() / 1000) + 3_600;
    const request = { firings: [id], action: { mute: { end: until } } };
    assert.equal((await grace.api.post('/firings/bulk', request)).body.done, 1);
    const { mutes } = (await ada.api.get('/mutes')).body;
    assert.equal(mutes.length, 2);
    assert.deepEqual(mutes[0], made);
    assert.deepEqual([mutes[1].created_by, mutes[1].end], [grace.id, until]);
  });
});
