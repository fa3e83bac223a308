import assert from 'node:assert/strict';
import { buildSensor, share } from '../../support/factories';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import type { TestUser } from '../../support/platform';

describe('the list of sensors with details=full', () => {
  const platform = usePlatform();
  const owner = useUserPerTest(platform);
  const friend = useUserPerTest(platform);

  const attach = async ({ api }: TestUser, sensorId: string, uuid: string) =>
    (await api.post(`/sensors/${sensorId}/device`, { device: { type: 'phone', uuid } })).body.device;
  const place = async ({ api }: TestUser, sensorId: string, name: string) => {
    const { environment } = (await api.post('/environments', { environment: { name, floors: 2 } })).body;
    assert.equal((await api.post(`/environments/${environment.id}/sensors`, { sensor: { id: sensorId } })).status, 201);
    return environment;
  };
  const listed = async ({ api }: TestUser, query = '') => (await api.get(`/sensors?details=full${query}`)).body.sensors;

  it('adds the device and the environment of each sensor that has them', async () => {
    const [bare, placed] = [await buildSensor(owner), await buildSensor(owner)];
    const device = await attach(owner, placed, 'one');
    const environment = await place(owner, placed, 'home');
    const record = async (id: string) => (await owner.api.get(`/sensors/${id}`)).body.sensor;
    assert.deepEqual(await listed(owner), [await record(bare), { ...(await record(placed)), device, environment }]);
  });

  it('adds the type and the uuid of the device with physical=1, unless owned is given', async () => {
    const [bare, attached] = [await buildSensor(owner), await buildSensor(owner)];
    await attach(owner, attached, 'one');
    const flat = { device_device_type: 'phone', device_device_uuid: 'one' };
    const record = (await owner.api.get(`/sensors/${attached}`)).body.sensor;
    const list = async (query: string) => (await owner.api.get(`/sensors?${query}`)).body.sensors;
    assert.deepEqual(await list('physical=1'), [{ ...record, ...flat }]);
    assert.deepEqual(await list('physical=1&owned=1'), [record]);
    assert.deepEqual(await list('physical=1&details=no'), [{ id: attached }]);
    const [full] = await list('physical=1&details=full');
    assert.deepEqual(full, { ...record, device: full.device, ...flat });
    const all = await list('physical=0');
    assert.deepEqual(
      all.map(({ id, ...rest }: { id: string }) => [id, 'device_device_type' in rest]),
      [
        [bare, false],
        [attached, false],
      ],
    );
  });

  it('is taken by the lists of a device, an environment and a virtual sensor, too', async () => {
    const foreign = await buildSensor(friend);
    await share(friend, foreign, owner);
    const device = await attach(friend, foreign, 'one');
    const environment = await place(owner, foreign, 'home');
    const virtual = await buildSensor(owner);
    await owner.api.post(`/sensors/${virtual}/sensors`, { sensor: { id: foreign } });
    const { body } = await owner.api.get(`/sensors/${foreign}`);
    const { owner: whose, ...record } = body.sensor;
    assert.deepEqual([record.state, record.state_since], ['none', null]);
    const full = { ...body.sensor, device, environment };
    assert.deepEqual(Object.keys(whose), ['id', 'username', 'name', 'surname', 'email']);
    assert.deepEqual([whose.username, whose.name, whose.email], [friend.username, '', '']);
    for (const path of [`/environments/${environment.id}/sensors`, `/sensors/${virtual}/sensors`]) {
      assert.deepEqual((await owner.api.get(`${path}?details=full`)).body, { sensors: [full] }, path);
      assert.deepEqual((await owner.api.get(`${path}?details=no`)).body, { sensors: [{ id: foreign }] }, path);
      assert.deepEqual((await owner.api.get(path)).body, { sensors: [body.sensor] }, path);
    }
    const own = (await friend.api.get(`/devices/${device.id}/sensors?details=full`)).body.sensors;
    assert.deepEqual(own, [{ ...record, device }]);
    const ids = (await friend.api.get(`/devices/${device.id}/sensors?details=no&total=1`)).body;
    assert.deepEqual(ids, { sensors: [{ id: foreign }], total: 1 });
  });

  it('adds the owner only to the sensors of other users', async () => {
    const [own, foreign] = [await buildSensor(friend), await buildSensor(owner)];
    await share(owner, foreign, friend);
    const [mine, theirs] = await listed(friend);
    assert.deepEqual([mine.id, 'owner' in mine], [own, false]);
    assert.deepEqual([theirs.id, theirs.owner.id, theirs.owner.username], [foreign, owner.id, owner.username]);
  });

  it("shows the owner's device, and the user's own environment rather than the owner's", async () => {
    const id = await buildSensor(owner);
    await share(owner, id, friend);
    const device = await attach(owner, id, 'one');
    const [home, hideout] = [await place(owner, id, 'home'), await place(friend, id, 'hideout')];
    const firstOf = async (user: TestUser) => (await listed(user))[0];
    const [seen, own] = [await firstOf(friend), await firstOf(owner)];
    assert.deepEqual([seen.device, seen.environment], [device, hideout]);
    assert.deepEqual([own.device, own.environment], [device, home]);
    await friend.api.delete(`/environments/${hideout.id}`);
    assert.deepEqual((await firstOf(friend)).environment, home);
  });

  it('never shows the environment of another reader', async () => {
    const id = await buildSensor(owner);
    await share(owner, id, friend);
    await place(friend, id, 'hideout');
    const [seen] = await listed(owner);
    assert.equal('environment' in seen, false);
    assert.equal((await owner.api.get(`/sensors/${id}/environment`)).status, 404);
  });

  it('combines with the other filters, where physical=1 lists sensors on a device', async () => {
    const [first, second] = [await buildSensor(owner), await buildSensor(owner)];
    await attach(owner, first, 'one');
    await attach(owner, second, 'two');
    await share(owner, second, friend);
    const third = await buildSensor(owner);
    const ids = (sensors: { id: string }[]) => sensors.map(({ id }) => id);
    assert.deepEqual(ids(await listed(owner, '&physical=1')), [first, second]);
    const [shared] = await listed(owner, '&physical=1&shared=1');
    assert.deepEqual([shared.id, shared.device.uuid, shared.users[0].id], [second, 'two', friend.id]);
    await owner.api.delete(`/sensors/${second}/device`);
    assert.deepEqual(ids(await listed(owner, '&physical=1')), [first]);
    assert.deepEqual(ids(await listed(owner, '&per_page=1&page=2')), [third]);
    assert.deepEqual(await listed(owner, '&page=3'), []);
  });

  it('is required for these details, which other lists omit', async () => {
    await attach(owner, await buildSensor(owner), 'one');
    const [plain] = (await owner.api.get('/sensors')).body.sensors;
    assert.deepEqual(['device' in plain, 'environment' in plain], [false, false]);
  });
});
