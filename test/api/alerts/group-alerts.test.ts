import assert from 'node:assert/strict';
import { buildGroup, buildSensor, buildTrigger, connectTrigger, share, upload } from '../../support/factories';
import { accept, join } from '../../support/groups';
import { usePlatform, useUser, useUserPerTest } from '../../support/hooks';
import type { TestUser } from '../../support/platform';

describe('alerts that a group sees and handles', () => {
  const platform = usePlatform();
  const ada = useUserPerTest(platform);
  const grace = useUserPerTest(platform);
  const stranger = useUser(platform);

  const buildTeam = async (rights: object = { see_alerts: true, handle_alerts: true }) => {
    const groupId = await buildGroup(ada);
    await join(grace, groupId);
    await accept(ada, groupId, grace, { group_permissions: rights });
    return groupId;
  };
  const fire = async (owner: TestUser, fields: object = {}) => {
    const sensorId = await buildSensor(owner, { name: 'freezer' });
    const triggerId = await buildTrigger(owner, { name: 'too warm', repeat: 0, ...fields });
    await connectTrigger(owner, sensorId, triggerId);
    await upload(owner, sensorId, { value: 31 });
    await platform.settle();
    const { firings } = (await owner.api.get(`/firings?trigger_id=${triggerId}`)).body;
    return { sensorId, triggerId, id: String(firings[0].id) };
  };
  const idsOf = async ({ api }: TestUser, query = '') =>
    (await api.get(`/firings?${query}`)).body.firings.map(({ id }: { id: string }) => id);

  it('gives nobody a right unless it is granted, except the founder', async () => {
    const groupId = await buildGroup(ada);
    const { group } = (await ada.api.get(`/groups/${groupId}`)).body;
    assert.deepEqual([group.default_see_alerts, group.default_handle_alerts], [false, false]);
    await join(grace, groupId);
    await accept(ada, groupId, grace);
    const rightsOf = async ({ id }: TestUser) =>
      (await ada.api.get(`/groups/${groupId}/users/${id}?details=full`)).body.user.group_permissions;
    const [own, others] = [await rightsOf(ada), await rightsOf(grace)];
    assert.deepEqual([own.see_alerts, own.handle_alerts], [true, true]);
    assert.deepEqual([others.see_alerts, others.handle_alerts], [false, false]);
    const { id } = await fire(ada, { group_id: groupId });
    assert.deepEqual(await idsOf(grace), []);
    assert.equal((await grace.api.get(`/firings/${id}`)).status, 404);
  });

  it('shows whose alert it is, what it is about and who acts on it, and nothing else of the sensor', async () => {
    const groupId = await buildTeam();
    const { id, sensorId, triggerId } = await fire(ada, { group_id: groupId });
    assert.equal((await ada.api.get(`/triggers/${triggerId}`)).body.trigger.group_id, groupId);
    const acknowledged = await grace.api.post(`/firings/${id}/acknowledge`, { note: 'on my way' });
    assert.equal(acknowledged.status, 200);
    await ada.api.post(`/firings/${id}/assign`, { user_id: grace.id });
    for (const { api } of [ada, grace]) {
      const [firing] = (await api.get(`/firings?state=firing&group_id=${groupId}`)).body.firings;
      assert.deepEqual(
        [firing.owner_id, firing.owner_username, firing.group_id, firing.sensor_name, firing.trigger_name],
        [ada.id, ada.username, groupId, 'freezer', 'too warm'],
      );
      assert.equal(firing.variables.sensor_data_value, '31');
      const { date, ...by } = firing.acknowledged;
      assert.deepEqual(by, { user_id: grace.id, username: grace.username, person: null, note: 'on my way' });
      assert.deepEqual(firing.assigned, { user_id: grace.id, username: grace.username });
    }
    for (const path of [`/sensors/${sensorId}`, `/sensors/${sensorId}/data`, `/triggers/${triggerId}`]) {
      assert.equal((await grace.api.get(path)).status, 404, path);
    }
    assert.equal((await grace.api.get(`/sensors/${sensorId}/triggers/${triggerId}/decisions`)).status, 404);
    await share(ada, sensorId, grace);
    const why = await grace.api.get(`/sensors/${sensorId}/triggers/${triggerId}/decisions`);
    assert.deepEqual([why.status, why.body.decisions[0].fired], [200, true]);
  });

  it('refuses actions of members who may only see, and of everybody else', async () => {
    const groupId = await buildTeam({ see_alerts: true, handle_alerts: false });
    const { id } = await fire(ada, { group_id: groupId });
    const actions: [string, object][] = [
      [`/firings/${id}/acknowledge`, {}],
      [`/firings/${id}/resolve`, {}],
      [`/firings/${id}/assign`, { user_id: null }],
    ];
    for (const [path, body] of actions) {
      const refused = await grace.api.post(path, body);
      assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden'], path);
      assert.equal((await stranger.api.post(path, body)).status, 404, path);
    }
    const end = Math.floor(Date.now() / 1000) + 3_600;
    for (const action of [{ mute: { end } }, { resolve: {} }, { acknowledge: {} }]) {
      const named = await grace.api.post('/firings/bulk', { firings: [id], action });
      assert.deepEqual([named.body.done, named.body.failed[0].code], [0, 'forbidden']);
      assert.deepEqual((await grace.api.post('/firings/bulk', { all: true, action })).body, { done: 0, failed: [] });
    }
    const { firing } = (await ada.api.get(`/firings/${id}`)).body;
    assert.deepEqual([firing.state, firing.acknowledged, firing.muted_now], ['firing', null, null]);
  });

  it('mutes on behalf of the owner, whose mute names the member', async () => {
    const groupId = await buildTeam();
    const { id, sensorId, triggerId } = await fire(ada, { group_id: groupId });
    const end = Math.floor(Date.now() / 1000) + 3_600;
    for (const later of [end, end + 60]) {
      const request = { firings: [id], action: { mute: { end: later } } };
      assert.deepEqual((await grace.api.post('/firings/bulk', request)).body, { done: 1, failed: [] });
    }
    const { mutes } = (await ada.api.get('/mutes')).body;
    assert.deepEqual(
      mutes.map(({ name, sensors, triggers, end: until, created_by }: Record<string, unknown>) => ({
        ...{ name, sensors, triggers, until, created_by },
      })),
      [
        {
          ...{ name: `by ${grace.username}`, sensors: [sensorId], triggers: [triggerId] },
          ...{ until: end + 60, created_by: grace.id },
        },
      ],
    );
    assert.deepEqual((await grace.api.get('/mutes')).body.mutes, []);
    assert.equal((await grace.api.get(`/firings/${id}`)).body.firing.muted_now.by, 'mute');
    const past = { firings: [id], action: { mute: { end: 1_700_000_000 } } };
    assert.equal((await grace.api.post('/firings/bulk', past)).body.failed[0].code, 'invalid_input');
  });

  it('leaves the owner their mutes, however many a member makes', async () => {
    const groupId = await buildTeam();
    const { id, sensorId } = await fire(ada, { group_id: groupId });
    const muteAs = async ({ api }: TestUser, end: number) =>
      (await api.post('/firings/bulk', { firings: [id], action: { mute: { end } } })).body;
    const now = Math.floor(Date.now() / 1000);
    const fill = (createdBy: string, count: number, end: number) =>
      platform.query('INSERT INTO mutes (owner_id, name, start_ms, end_ms, sensors, created_by, created_ms) VALUES ?', [
        Array.from({ length: count }, (_, at) => [ada.id, `of ${at}`, 1, end * 1_000, '[]', createdBy, 1]),
      ]);
    await fill(grace.id, 20, now + 3_600);
    const refused = await muteAs(grace, now + 3_600);
    assert.deepEqual(
      [refused.done, refused.failed[0].error],
      [0, 'you have 20 mutes on alerts of this user, which is as many as you can'],
    );
    const mute = { name: 'mine', sensors: [sensorId], start: now, end: now + 60 };
    assert.equal((await ada.api.post('/mutes', { mute })).status, 201);
    await platform.query('UPDATE mutes SET end_ms = 2 WHERE created_by = ? ORDER BY id LIMIT 1', [grace.id]);
    assert.equal((await muteAs(grace, now + 3_600)).done, 1, 'a mute that has ended makes room');
    assert.equal((await muteAs(grace, now + 7_200)).done, 1, 'an own mute may move');
    assert.equal((await ada.api.get('/mutes?per_page=200')).body.mutes.length, 21);
    await platform.query('DELETE FROM mutes WHERE created_by = ?', [grace.id]);
    await fill(stranger.id, 100, now + 3_600);
    assert.equal(
      (await muteAs(grace, now + 3_600)).failed[0].error,
      'members have 100 mutes on alerts of this user, which is as many as they can',
    );
    assert.equal((await ada.api.post('/mutes', { mute: { ...mute, name: 'another' } })).status, 201);
  });

  it('shows a trigger only to a group of its owner, and to none after its owner left and came back', async () => {
    const groupId = await buildTeam();
    const foreign = await buildGroup(stranger, { hidden: 1 });
    const { id, triggerId } = await fire(grace, { group_id: groupId });
    for (const [group, status] of [
      [foreign, 404],
      ['999999999', 404],
      ['x', 404],
    ] as const) {
      assert.equal((await grace.api.put(`/triggers/${triggerId}`, { trigger: { group_id: group } })).status, status);
    }
    assert.deepEqual(await idsOf(ada), [id]);
    await grace.api.delete(`/groups/${groupId}/users/${grace.id}`);
    assert.deepEqual(await idsOf(ada), []);
    await join(grace, groupId);
    await accept(ada, groupId, grace);
    assert.deepEqual(await idsOf(ada), []);
    assert.equal((await grace.api.get(`/triggers/${triggerId}`)).body.trigger.group_id, null);
    const changed = await grace.api.put(`/triggers/${triggerId}`, { trigger: { group_id: groupId } });
    assert.deepEqual([changed.status, changed.body.trigger.version], [200, 1]);
    assert.deepEqual(await idsOf(ada), [id]);
    assert.equal((await ada.api.put(`/triggers/${triggerId}`, { trigger: { group_id: null } })).status, 404);
  });

  it('assigns only to users who see the alert, and does not reveal who exists', async () => {
    const groupId = await buildTeam();
    const { id } = await fire(ada, { group_id: groupId });
    for (const user_id of [stranger.id, '999999999']) {
      const { status, body } = await grace.api.post(`/firings/${id}/assign`, { user_id });
      assert.deepEqual([status, body.fields], [400, { user_id: 'must be the id of a user who sees this alert' }]);
    }
    assert.equal((await grace.api.post(`/firings/${id}/assign`, {})).status, 400);
    assert.equal(
      (await grace.api.post(`/firings/${id}/assign`, { user_id: ada.id })).body.firing.assigned.user_id,
      ada.id,
    );
    assert.equal((await grace.api.post(`/firings/${id}/assign`, { user_id: null })).body.firing.assigned, null);
    await grace.api.post(`/firings/${id}/resolve`, {});
    assert.equal((await ada.api.post(`/firings/${id}/assign`, { user_id: ada.id })).status, 409);
  });

  it('pages through own alerts and those of others in the order of their dates', async () => {
    const groupId = await buildTeam();
    const ids = [];
    for (const owner of [ada, grace, ada, grace]) ids.push((await fire(owner, { group_id: groupId })).id);
    for (const { api } of [ada, grace]) {
      const paged = [];
      for (const page of [0, 1, 2]) {
        const { body } = await api.get(`/firings?per_page=2&page=${page}&total=1`);
        assert.equal(body.total, 4);
        paged.push(...body.firings.map((firing: { id: string }) => firing.id));
      }
      assert.deepEqual(paged, ids);
    }
    assert.deepEqual(await idsOf(grace, 'sort=DESC&state=firing'), [...ids].reverse());
    const now = Math.floor(Date.now() / 1000);
    const range = `by=trigger&start_date=${now - 3_600}&end_date=${now + 60}`;
    const { summary, rows } = (await grace.api.get(`/reports/alerts?${range}`)).body;
    assert.deepEqual([summary.episodes, rows.length], [4, 4]);
  });

  it('is gone with a closed account', async () => {
    const groupId = await buildTeam();
    const { id } = await fire(grace, { group_id: groupId });
    assert.deepEqual(await idsOf(ada), [id]);
    assert.equal((await grace.api.delete(`/users/${grace.id}`)).status, 200);
    assert.deepEqual(await idsOf(ada), []);
    assert.equal((await ada.api.get(`/firings/${id}`)).status, 404);
  });
});
