import assert from 'node:assert/strict';
import { buildGroup, buildSensor, type Fields } from '../../support/factories';
import { accept, join, sensorsOf } from '../../support/groups';
import { usePlatform, useUserPerTest } from '../../support/hooks';

describe('the sensors of a user who waits to be accepted', () => {
  const platform = usePlatform();
  const founder = useUserPerTest(platform);
  const user = useUserPerTest(platform);
  const PASSWORD = '5f4dcc3b5aa765d61d8327deb882cf99';
  let groupId: string;
  let position: string;

  beforeEach(async () => {
    groupId = await buildGroup(founder, { required_sensors: ['position'], access_password: PASSWORD });
    position = await buildSensor(user, { name: 'position' });
  });

  const change = async (group: Fields) =>
    assert.equal((await founder.api.put(`/groups/${groupId}`, { group })).status, 200);
  const ask = async (fields: Fields = {}) => assert.equal((await join(user, groupId, fields)).status, 201);
  const accepted = async (fields: Fields = {}) => {
    const response = await accept(founder, groupId, user, fields);
    assert.equal(response.status, 201, JSON.stringify(response.body));
    return sensorsOf(founder, groupId);
  };
  const keptDemands = async () =>
    (await platform.query('SELECT version FROM former_sensor_demands WHERE group_id = ?', [groupId])).length;

  it('are those that the group asked for then, whatever it asks for later', async () => {
    await buildSensor(user, { name: 'diary' });
    await ask();
    await change({ required_sensors: ['diary'], optional_sensors: ['mood'] });
    await buildSensor(user, { name: 'mood' });
    assert.deepEqual(await accepted(), [position]);
  });

  it('are those that the group asked for then, even when it requires one that they do not have', async () => {
    await ask();
    await change({ required_sensors: ['position', 'noise'] });
    assert.deepEqual(await accepted(), [position]);
  });

  it('are those that they had then: later ones of the same name stay private', async () => {
    await change({ optional_sensors: ['light'] });
    await ask();
    await buildSensor(user, { name: 'position' });
    await buildSensor(user, { name: 'light' });
    assert.deepEqual(await accepted(), [position]);
  });

  it('are those that the group asked for then, when it asks for them no longer', async () => {
    await change({ default_add_sensors: 0 });
    await ask();
    await change({ required_sensors: [], optional_sensors: [] });
    assert.deepEqual(await accepted(), [position]);
  });

  it('are what was fixed for each of several users, who asked at different times', async () => {
    await ask();
    await change({ required_sensors: ['diary'] });
    const late = await platform.user();
    assert.equal((await join(late, groupId)).status, 400);
    const [diary] = [await buildSensor(late, { name: 'diary' }), await buildSensor(late, { name: 'position' })];
    assert.equal((await join(late, groupId)).status, 201);
    await change({ required_sensors: [] });
    assert.equal(await keptDemands(), 2);
    const users = [user, late].map(({ id }) => ({ user: { id } }));
    assert.equal((await founder.api.post(`/groups/${groupId}/users`, { users })).status, 201);
    assert.deepEqual(await sensorsOf(founder, groupId), [position, diary]);
    await change({ required_sensors: ['position'] });
    assert.equal(await keptDemands(), 0, 'demands under which nobody waits are deleted');
  });

  it('are fixed again when they withdraw their request and ask again', async () => {
    await ask();
    const diary = await buildSensor(user, { name: 'diary' });
    await change({ required_sensors: ['diary'] });
    await user.api.delete(`/groups/${groupId}/users/${user.id}`);
    await ask();
    assert.deepEqual(await accepted(), [diary]);
  });

  it('must still be theirs: one that they sold is not shared, and is named when it was required', async () => {
    const mood = await buildSensor(user, { name: 'mood' });
    await ask({ sensors: [mood] });
    const sell = (id: string) =>
      platform.query('UPDATE sensors SET owner_id = ? WHERE id = ?', [Number(founder.id), Number(id)]);
    await sell(mood);
    await sell(position);
    const refused = await accept(founder, groupId, user);
    assert.equal(refused.status, 400);
    assert.match(refused.body.error, /position/);
    const other = await buildSensor(user, { name: 'position' });
    await ask({ sensors: [other] });
    assert.deepEqual(await accepted(), [other]);
  });

  it('that were deleted are not shared', async () => {
    const [mood, diary] = [await buildSensor(user, { name: 'mood' }), await buildSensor(user, { name: 'diary' })];
    await ask({ sensors: [mood, diary] });
    await user.api.delete(`/sensors/${mood}`);
    assert.deepEqual(await accepted(), [position, diary]);
  });

  it('are only those that the group asked for, when the right to add sensors is not granted on acceptance', async () => {
    await ask({ sensors: [await buildSensor(user, { name: 'mood' })] });
    await change({ required_sensors: [] });
    assert.deepEqual(await accepted({ group_permissions: { add_sensors: 0 } }), [position]);
  });

  it('may be more by a later request: what the group asked for then, or asks for now', async () => {
    await change({ default_add_sensors: 0, optional_sensors: ['light'] });
    await ask();
    await change({ default_add_sensors: 1, required_sensors: ['diary'], optional_sensors: [] });
    const [light, diary, mood] = [
      await buildSensor(user, { name: 'light' }),
      await buildSensor(user, { name: 'diary' }),
      await buildSensor(user, { name: 'mood' }),
    ];
    assert.equal((await join(user, groupId, { sensors: [mood] })).status, 403);
    assert.equal((await join(user, groupId, { sensors: [mood], access_password: PASSWORD })).status, 403);
    await ask({ sensors: [light, diary] });
    assert.deepEqual(await accepted(), [position, light, diary]);
  });

  it('are shared once when they are accepted several times at once, and by the access password', async () => {
    await ask();
    await change({ required_sensors: ['diary'] });
    const responses = await Promise.all([
      accept(founder, groupId, user),
      accept(founder, groupId, user),
      join(user, groupId, { access_password: PASSWORD }),
      founder.api.put(`/groups/${groupId}`, { group: { required_sensors: ['noise'] } }),
    ]);
    assert.deepEqual(
      responses.map(({ status }) => status),
      [201, 201, 201, 200],
    );
    assert.deepEqual(await sensorsOf(founder, groupId), [position]);
    const { user: seen } = (await user.api.get(`/groups/${groupId}/users/${user.id}`)).body;
    assert.equal(seen.accepted, true);
  });
});
