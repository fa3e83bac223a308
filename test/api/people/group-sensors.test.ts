import assert from 'node:assert/strict';
import { buildGroup, buildSensor, upload } from '../../support/factories';
import { accept, join, sensorsOf, shareWithGroup } from '../../support/groups';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import type { TestUser } from '../../support/platform';

describe('the sensors of a group', () => {
  const platform = usePlatform();
  const founder = useUserPerTest(platform);
  const member = useUserPerTest(platform);
  let groupId: string;

  beforeEach(async () => {
    groupId = await buildGroup(founder, { public: 1 });
    await join(member, groupId);
  });

  const add = ({ api }: TestUser, ...ids: string[]) =>
    api.post(`/groups/${groupId}/sensors`, { sensors: ids.map((id) => ({ id })) });
  const list = async ({ api }: TestUser, query = '') => (await api.get(`/groups/${groupId}/sensors${query}`)).body;
  const idsOf = (sensors: { id: string }[]) => sensors.map(({ id }) => id);

  it('are shared as a list, alone, or repeatedly', async () => {
    const [one, two] = [await buildSensor(member), await buildSensor(member)];
    const response = await add(member, one, two);
    assert.equal(response.status, 201);
    assert.deepEqual(idsOf(response.body.sensors), [one, two]);
    const three = await buildSensor(member);
    const alone = await member.api.post(`/groups/${groupId}/sensors`, { sensor: { id: Number(three) } });
    assert.deepEqual([alone.status, idsOf(alone.body.sensors)], [201, [three]]);
    assert.equal((await add(member, one, one)).status, 201);
    assert.deepEqual(await sensorsOf(founder, groupId), [one, two, three]);
  });

  it('must belong to the caller: otherwise all of them are refused, and the error names the other one', async () => {
    const [own, shared, foreign] = [await buildSensor(member), await buildSensor(founder), await buildSensor(founder)];
    await add(founder, shared);
    const refused = await add(member, own, shared);
    assert.deepEqual([refused.status, Object.keys(refused.body.fields)], [403, ['sensors[1].id']]);
    const unknown = await add(member, foreign, own);
    assert.deepEqual([unknown.status, Object.keys(unknown.body.fields)], [404, ['sensors[0].id']]);
    assert.equal((await add(member, own, 'x')).status, 404);
    assert.equal((await member.api.post(`/groups/${groupId}/sensors`, {})).status, 400);
    assert.deepEqual(await sensorsOf(founder, groupId), [shared]);
  });

  it('are shared once by simultaneous requests', async () => {
    const sensorId = await buildSensor(member);
    const responses = await Promise.all([add(member, sensorId), add(member, sensorId), add(member, sensorId)]);
    assert.ok(responses.every(({ status }) => status === 201));
    assert.deepEqual(await sensorsOf(founder, groupId), [sensorId]);
  });

  it('are readable by members like sensors shared with them, and remain their owner’s', async () => {
    const sensorId = await buildSensor(founder);
    await upload(founder, sensorId, [{ value: 20.5, date: 1_795_229_544 }]);
    await add(founder, sensorId);
    assert.equal((await member.api.get(`/sensors/${sensorId}`)).body.sensor.id, sensorId);
    assert.equal((await member.api.get(`/sensors/${sensorId}/data`)).body.data[0].value, '20.5');
    assert.deepEqual(idsOf((await member.api.get('/sensors?owned=0')).body.sensors), [sensorId]);
    const { api } = member;
    const owners = [
      await api.post(`/sensors/${sensorId}/data`, { value: 1 }),
      await api.post('/sensors/data', { sensors: [{ sensor_id: sensorId, data: [{ value: 1 }] }] }),
      await api.put(`/sensors/${sensorId}`, { sensor: { name: 'mine' } }),
      await api.delete(`/sensors/${sensorId}`),
      await api.get(`/sensors/${sensorId}/triggers`),
    ];
    assert.deepEqual(
      owners.map(({ status }) => status),
      [403, 403, 403, 403, 403],
    );
    assert.deepEqual(await sensorsOf(founder, groupId), [sensorId]);
  });

  it('are listed page by page, and by owner, device and level of detail', async () => {
    const [mine, theirs] = [
      await buildSensor(member, { name: 'mine' }),
      await buildSensor(founder, { name: 'theirs' }),
    ];
    const onDevice = await buildSensor(founder, { name: 'on a device' });
    await founder.api.post(`/sensors/${onDevice}/device`, { device: { type: 'phone', uuid: '12' } });
    await add(member, mine);
    await add(founder, theirs, onDevice);
    assert.deepEqual(idsOf((await list(member, '?owned=1')).sensors), [mine]);
    assert.deepEqual(idsOf((await list(member, '?owned=0')).sensors), [theirs, onDevice]);
    const page = await list(member, '?per_page=1&page=1&total=1');
    assert.deepEqual([idsOf(page.sensors), page.total], [[theirs], 3]);
    assert.equal('total' in (await list(member)), false);
    assert.deepEqual((await list(member, '?details=no')).sensors, [{ id: mine }, { id: theirs }, { id: onDevice }]);
    const [plain] = (await list(member)).sensors;
    assert.deepEqual([plain.name, 'owner' in plain, 'device' in plain], ['mine', false, false]);
    const full = (await list(member, '?details=full')).sensors;
    assert.deepEqual(full[0], plain);
    assert.deepEqual([full[2].device.uuid, full[2].owner.id], ['12', founder.id]);
    assert.deepEqual(idsOf((await member.api.get(`/sensors?group_id=${groupId}&owned=0`)).body.sensors), [
      theirs,
      onDevice,
    ]);
  });

  it('are listed with their device, unless `owned` is used', async () => {
    const [plain, onDevice] = [await buildSensor(founder), await buildSensor(founder)];
    await founder.api.post(`/sensors/${onDevice}/device`, { device: { type: 'phone', uuid: '12' } });
    await add(founder, plain, onDevice);
    const [listed, ...others] = (await list(member, '?physical=1')).sensors;
    assert.deepEqual(others, []);
    assert.deepEqual([listed.id, listed.device_device_type, listed.device_device_uuid], [onDevice, 'phone', '12']);
    assert.equal('device' in listed, false);
    for (const query of ['?physical=1&owned=0', '?physical=0', '?physical=1&details=no']) {
      const { sensors } = await list(member, query);
      const found = sensors.find(({ id }: { id: string }) => id === onDevice);
      assert.ok(found, query);
      assert.equal('device_device_type' in found, false, query);
    }
  });

  it('may always be removed by their owner', async () => {
    const sensorId = await buildSensor(member);
    await add(member, sensorId);
    const group_permissions = { remove_sensors: 0, list_sensors: 0 };
    await founder.api.put(`/groups/${groupId}/users/${member.id}`, { group_permissions });
    assert.equal((await member.api.delete(`/groups/${groupId}/sensors/${sensorId}`)).status, 200);
    assert.deepEqual(await sensorsOf(founder, groupId), []);
    assert.equal((await founder.api.delete(`/groups/${groupId}/sensors/${sensorId}`)).status, 404);
    assert.equal((await founder.api.get(`/sensors/${sensorId}`)).status, 404);
  });

  it('disappear when they are deleted', async () => {
    const sensorId = await buildSensor(member);
    await add(member, sensorId);
    assert.equal((await member.api.delete(`/sensors/${sensorId}`)).status, 200);
    assert.deepEqual(await sensorsOf(founder, groupId), []);
  });

  it('may be in several groups and are listed once', async () => {
    const other = await buildGroup(founder, { public: 1 });
    await join(member, other);
    const sensorId = await buildSensor(founder);
    await add(founder, sensorId);
    await shareWithGroup(founder, other, sensorId);
    assert.deepEqual((await member.api.get('/sensors')).body.total, 1);
    await founder.api.delete(`/groups/${groupId}/sensors/${sensorId}`);
    assert.equal((await member.api.get(`/sensors/${sensorId}`)).status, 200);
    await member.api.delete(`/groups/${other}/users/${member.id}`);
    assert.equal((await member.api.get(`/sensors/${sensorId}`)).status, 404);
  });
});

describe('the sensors that a group requires', () => {
  const platform = usePlatform();
  const founder = useUserPerTest(platform);
  const user = useUserPerTest(platform);

  const buildPosition = (owner: TestUser) => buildSensor(owner, { name: 'position' });
  const demands = { required_sensors: ['position', 'noise'], optional_sensors: ['light'] };

  it('are named when a joining user lacks them', async () => {
    const groupId = await buildGroup(founder, { public: 1, ...demands });
    await buildPosition(user);
    const response = await join(user, groupId);
    assert.equal(response.status, 400);
    assert.match(response.body.error, /noise/);
    assert.doesNotMatch(response.body.error, /position|light/);
    assert.deepEqual((await user.api.get('/groups')).body.groups, []);
  });

  it('are shared by joining without being listed', async () => {
    const groupId = await buildGroup(founder, { public: 1, ...demands });
    const ids = [
      await buildPosition(user),
      await buildSensor(user, { name: 'noise' }),
      await buildSensor(user, { name: 'light' }),
    ];
    await buildSensor(user, { name: 'diary' });
    assert.equal((await join(user, groupId)).status, 201);
    assert.deepEqual(await sensorsOf(founder, groupId), ids);
  });

  it('are those that the joining user chose among several of the same name', async () => {
    const groupId = await buildGroup(founder, { public: 1, required_sensors: ['position'] });
    const [first, second] = [await buildPosition(user), await buildPosition(user)];
    const extra = await buildSensor(user, { name: 'mood' });
    await join(user, groupId, { sensors: [second, extra] });
    assert.deepEqual(await sensorsOf(founder, groupId), [second, extra]);
    assert.equal((await founder.api.get(`/sensors/${first}`)).status, 404);
  });

  it('are shared, with those that were offered, when a waiting user is accepted', async () => {
    const groupId = await buildGroup(founder, { required_sensors: ['position'] });
    assert.equal((await join(user, groupId)).status, 400);
    const [required, offered, deleted] = [
      await buildPosition(user),
      await buildSensor(user, { name: 'a' }),
      await buildSensor(user, { name: 'b' }),
    ];
    await join(user, groupId, { sensors: [offered, deleted] });
    assert.deepEqual(await sensorsOf(founder, groupId), []);
    assert.equal((await founder.api.get(`/sensors/${offered}`)).status, 404);
    await user.api.delete(`/sensors/${deleted}`);
    assert.equal((await accept(founder, groupId, user)).status, 201);
    assert.deepEqual(await sensorsOf(founder, groupId), [required, offered]);
  });

  it('must still exist when the user is accepted', async () => {
    const groupId = await buildGroup(founder, { required_sensors: ['position'] });
    const sensorId = await buildPosition(user);
    await join(user, groupId);
    await user.api.delete(`/sensors/${sensorId}`);
    const response = await accept(founder, groupId, user);
    assert.equal(response.status, 400);
    assert.match(response.body.error, /position/);
  });

  it('are the only ones shared by joining when new members may not add sensors', async () => {
    const groupId = await buildGroup(founder, { public: 1, required_sensors: ['position'], default_add_sensors: 0 });
    const [required, extra] = [await buildPosition(user), await buildSensor(user, { name: 'mood' })];
    assert.equal((await join(user, groupId, { sensors: [required, extra] })).status, 403);
    assert.equal((await join(user, groupId, { sensors: [required] })).status, 201);
    assert.deepEqual(await sensorsOf(founder, groupId), [required]);
  });

  it('must belong to the joining user', async () => {
    const groupId = await buildGroup(founder, { public: 1, required_sensors: ['position'] });
    const foreign = await buildPosition(founder);
    const response = await join(user, groupId, { sensors: [foreign] });
    assert.deepEqual([response.status, Object.keys(response.body.fields)], [404, ['users[0].sensors[0]']]);
  });
});
