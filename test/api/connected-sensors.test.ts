import assert from 'node:assert/strict';
import { type Platform, startPlatform, type TestUser } from '../support/platform';
import { feedService } from '../support/services';

describe('sensors that use others', () => {
  let platform: Platform;
  let owner: TestUser;
  let friend: TestUser;

  before(async () => {
    platform = await startPlatform();
    [owner, friend] = [await platform.user(), await platform.user()];
  });
  after(() => platform.close());

  const sensorOf = async ({ api }: TestUser): Promise<string> =>
    (await api.post('/sensors', { sensor: { name: 'mast' } })).body.sensor.id;
  const connect = (virtual: string, used: string, by = owner) =>
    by.api.post(`/sensors/${virtual}/sensors`, { sensor: { id: used } });
  const typeOf = async (id: string) => (await owner.api.get(`/sensors/${id}`)).body.sensor.type;
  const idsOf = (body: { sensors: { id: string }[] }) => body.sensors.map(({ id }) => id);

  it('become virtual with the first and plain again with the last', async () => {
    const [virtual, a, b] = [await sensorOf(owner), await sensorOf(owner), await sensorOf(owner)];
    const answer = await connect(virtual, a);
    assert.equal(answer.status, 201);
    assert.deepEqual(idsOf(answer.body), [a]);
    assert.equal((await connect(virtual, b)).status, 201);
    assert.equal((await connect(virtual, b)).status, 201);
    assert.deepEqual(idsOf((await owner.api.get(`/sensors/${virtual}/sensors`)).body), [a, b]);
    assert.equal(await typeOf(virtual), '2');
    assert.deepEqual((await owner.api.delete(`/sensors/${virtual}/sensors/${a}`)).body, {});
    assert.equal(await typeOf(virtual), '2');
    await owner.api.delete(`/sensors/${virtual}/sensors/${b}`);
    assert.equal(await typeOf(virtual), '0');
    assert.equal((await owner.api.delete(`/sensors/${virtual}/sensors/${b}`)).status, 404);
  });

  it('become plain when the last sensor that they use is deleted', async () => {
    const [virtual, used] = [await sensorOf(owner), await sensorOf(owner)];
    await connect(virtual, used);
    await owner.api.delete(`/sensors/${used}`);
    assert.equal(await typeOf(virtual), '0');
  });

  it('become plain with the last sensor that they use also while they are on a device', async () => {
    const used = await sensorOf(owner);
    const device = { type: 'phone', uuid: 'of-a-virtual-sensor' };
    for (const goes of [(id: string) => `/sensors/${id}/sensors/${used}`, () => `/sensors/${used}`]) {
      const virtual = await sensorOf(owner);
      await owner.api.post(`/sensors/${virtual}/device`, { device });
      assert.equal(await typeOf(virtual), '1');
      await connect(virtual, used);
      assert.equal(await typeOf(virtual), '2');
      assert.equal((await owner.api.delete(goes(virtual))).status, 200);
      assert.equal(await typeOf(virtual), '0');
      assert.equal((await owner.api.get(`/sensors/${virtual}/device`)).body.device.uuid, device.uuid);
    }
  });

  it('never use themselves, directly or through others, also when two requests close a circle at once', async () => {
    const [a, b, c] = [await sensorOf(owner), await sensorOf(owner), await sensorOf(owner)];
    assert.equal((await connect(a, a)).status, 409);
    await connect(a, b);
    await connect(b, c);
    assert.equal((await connect(c, a)).status, 409);
    const [x, y] = [await sensorOf(owner), await sensorOf(owner)];
    const answers = await Promise.all([connect(x, y), connect(y, x)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
  });

  it('are one’s own, and use what one may see', async () => {
    const [mine, theirs] = [await sensorOf(owner), await sensorOf(friend)];
    assert.equal((await connect(mine, theirs)).status, 404);
    assert.equal((await connect(theirs, mine)).status, 404);
    await friend.api.post(`/sensors/${theirs}/users`, { user: { id: owner.id } });
    assert.equal((await connect(mine, theirs)).status, 201);
    assert.equal((await connect(theirs, mine)).status, 403);
    await friend.api.delete('/sensors/users');
    assert.deepEqual(idsOf((await owner.api.get(`/sensors/${mine}/sensors`)).body), []);
  });

  it('leave the service that writes to them, too', async () => {
    const { sensorId, serviceId } = await feedService(owner, 'math_service');
    assert.deepEqual(idsOf((await owner.api.get(`/sensors/${serviceId}/sensors`)).body), [sensorId]);
    assert.equal((await owner.api.delete(`/sensors/${serviceId}/sensors/${sensorId}`)).status, 200);
    assert.deepEqual((await owner.api.get(`/sensors/${sensorId}/services`)).body.services, []);
    assert.equal(await typeOf(serviceId), '0');
  });

  it('and services do without the sensors of a user who leaves', async () => {
    const leaving = await platform.user();
    const lent = await sensorOf(leaving);
    await leaving.api.post(`/sensors/${lent}/users`, { user: { id: owner.id } });
    const [alone, both, kept] = [await sensorOf(owner), await sensorOf(owner), await sensorOf(owner)];
    for (const virtual of [alone, both]) await connect(virtual, lent);
    await connect(both, kept);
    const run = async (input: string, service: object) =>
      (await owner.api.post(`/sensors/${input}/services`, { service })).body.service.id;
    const [unfed, fed] = [await run(lent, { name: 'math_service' }), await run(lent, { name: 'math_service' })];
    await run(kept, { id: fed });
    assert.equal((await leaving.api.delete(`/users/${leaving.id}`)).status, 200);
    const ids = [alone, both, unfed, fed];
    assert.deepEqual(await Promise.all(ids.map(typeOf)), ['0', '2', '0', '2']);
    const methodsOf = (id: string) => owner.api.get(`/sensors/${id}/services/${id}/methods`);
    assert.deepEqual([(await methodsOf(unfed)).status, (await methodsOf(fed)).status], [404, 200]);
    const services = await platform.query('SELECT id FROM services WHERE id = ?', [unfed]);
    assert.deepEqual(services, []);
  });

  it('never keep a sensor that goes with its owner while it is connected', async () => {
    for (let round = 0; round < 4; round += 1) {
      const leaving = await platform.user();
      const [lent, virtual] = [await sensorOf(leaving), await sensorOf(owner)];
      await leaving.api.post(`/sensors/${lent}/users`, { user: { id: owner.id } });
      const [left, connected] = await Promise.all([
        leaving.api.delete(`/users/${leaving.id}`),
        connect(virtual, lent),
        owner.api.post(`/sensors/${lent}/services`, { service: { name: 'math_service' } }),
      ]);
      assert.equal(left.status, 200);
      assert.ok([201, 404].includes(connected.status), JSON.stringify(connected.body));
      assert.equal(await typeOf(virtual), '0');
      const unfed = await platform.query(
        `SELECT s.id FROM services s JOIN sensors v ON v.id = s.id
         WHERE v.owner_id = ? AND s.id NOT IN (SELECT service_id FROM service_inputs)`,
        [owner.id],
      );
      assert.deepEqual(unfed, []);
    }
  });

  it('end the service that nothing feeds any more when its sensor is deleted', async () => {
    const { sensorId, serviceId } = await feedService(owner, 'math_service');
    await owner.api.delete(`/sensors/${sensorId}`);
    assert.equal((await owner.api.get(`/sensors/${serviceId}/services/${serviceId}/methods`)).status, 404);
    assert.equal(await typeOf(serviceId), '0');
  });
});
