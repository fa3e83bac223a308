import assert from 'node:assert/strict';
import { type Platform, startPlatform, type TestUser } from '../support/platform';

describe('the list of sensors with details=full', () => {
  let platform: Platform;
  let owner: TestUser;
  let friend: TestUser;

  before(async () => {
    platform = await startPlatform();
  });
  after(() => platform.close());
  beforeEach(async () => {
    [owner, friend] = [await platform.user(), await platform.user()];
  });

  const sensorOf = async ({ api }: TestUser): Promise<string> =>
    (await api.post('/sensors', { sensor: { name: 'a sensor' } })).body.sensor.id;
  const share = (sensorId: string, user: TestUser) =>
    owner.api.post(`/sensors/${sensorId}/users`, { user: { id: user.id } });
  const attach = async ({ api }: TestUser, sensorId: string, uuid: string) =>
    (await api.post(`/sensors/${sensorId}/device`, { device: { type: 'phone', uuid } })).body.device;
  const place = async ({ api }: TestUser, sensorId: string, name: string) => {
    const { environment } = (await api.post('/environments', { environment: { name, floors: 2 } })).body;
    assert.equal((await api.post(`/environments/${environment.id}/sensors`, { sensor: { id: sensorId } })).status, 201);
    return environment;
  };
  const listed = async ({ api }: TestUser, query = '') => (await api.get(`/sensors?details=full${query}`)).body.sensors;

  it('adds the device and the environment of each, null where there is none', async () => {
    const [bare, placed] = [await sensorOf(owner), await sensorOf(owner)];
    const device = await attach(owner, placed, 'one');
    const environment = await place(owner, placed, 'home');
    const record = async (id: string) => (await owner.api.get(`/sensors/${id}`)).body.sensor;
    assert.deepEqual(await listed(owner), [
      { ...(await record(bare)), device: null, environment: null },
      { ...(await record(placed)), device, environment },
    ]);
  });

  it('adds the owner to the sensors of others alone', async () => {
    const [own, foreign] = [await sensorOf(friend), await sensorOf(owner)];
    await share(foreign, friend);
    const [mine, theirs] = await listed(friend);
    assert.deepEqual([mine.id, 'owner' in mine], [own, false]);
    assert.deepEqual([theirs.id, theirs.owner.id, theirs.owner.username], [foreign, owner.id, owner.username]);
  });

  it("shows the owner's device, and one's own environment before the owner's", async () => {
    const id = await sensorOf(owner);
    await share(id, friend);
    const device = await attach(owner, id, 'one');
    const [home, hideout] = [await place(owner, id, 'home'), await place(friend, id, 'hideout')];
    const around = async (user: TestUser) => (await listed(user))[0];
    const [seen, own] = [await around(friend), await around(owner)];
    assert.deepEqual([seen.device, seen.environment], [device, hideout]);
    assert.deepEqual([own.device, own.environment], [device, home]);
    await friend.api.delete(`/environments/${hideout.id}`);
    assert.deepEqual((await around(friend)).environment, home);
  });

  it('never shows where a third user put the sensor', async () => {
    const id = await sensorOf(owner);
    await share(id, friend);
    await place(friend, id, 'hideout');
    const [{ environment }] = await listed(owner);
    assert.equal(environment, null);
    assert.equal((await owner.api.get(`/sensors/${id}/environment`)).status, 404);
  });

  it('goes with the other filters, and physical=1 lists what is on a device', async () => {
    const [first, second] = [await sensorOf(owner), await sensorOf(owner)];
    await attach(owner, first, 'one');
    await attach(owner, second, 'two');
    await share(second, friend);
    const third = await sensorOf(owner);
    const ids = (sensors: { id: string }[]) => sensors.map(({ id }) => id);
    assert.deepEqual(ids(await listed(owner, '&physical=1')), [first, second]);
    const [shared] = await listed(owner, '&physical=1&shared=1');
    assert.deepEqual([shared.id, shared.device.uuid, shared.users[0].id], [second, 'two', friend.id]);
    await owner.api.delete(`/sensors/${second}/device`);
    assert.deepEqual(ids(await listed(owner, '&physical=1')), [first]);
    assert.deepEqual(ids(await listed(owner, '&per_page=1&page=2')), [third]);
    assert.deepEqual(await listed(owner, '&page=3'), []);
  });

  it('is only for those who ask: other lists are without', async () => {
    await attach(owner, await sensorOf(owner), 'one');
    const [plain] = (await owner.api.get('/sensors')).body.sensors;
    assert.deepEqual(['device' in plain, 'environment' in plain], [false, false]);
  });
});
