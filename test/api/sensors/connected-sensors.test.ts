import assert from 'node:assert/strict';
import { buildSensor, share } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { feedService } from '../../support/services';

describe('sensors that use other sensors', () => {
  const platform = usePlatform();
  const owner = useUser(platform);
  const friend = useUser(platform);

  const connect = (virtual: string, used: string, by = owner) =>
    by.api.post(`/sensors/${virtual}/sensors`, { sensor: { id: used } });
  const typeOf = async (id: string) => (await owner.api.get(`/sensors/${id}`)).body.sensor.type;
  const idsOf = (body: { sensors: { id: string }[] }) => body.sensors.map(({ id }) => id);

  it('become virtual with the first connected sensor and plain again without the last', async () => {
    const [virtual, a, b] = [await buildSensor(owner), await buildSensor(owner), await buildSensor(owner)];
    const response = await connect(virtual, a);
    assert.equal(response.status, 201);
    assert.deepEqual(idsOf(response.body), [a]);
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

  it('become plain when the last sensor they use is deleted', async () => {
    const [virtual, used] = [await buildSensor(owner), await buildSensor(owner)];
    await connect(virtual, used);
    await owner.api.delete(`/sensors/${used}`);
    assert.equal(await typeOf(virtual), '0');
  });

  it('become plain without the last sensor they use even while they are on a device', async () => {
    const used = await buildSensor(owner);
    const device = { type: 'phone', uuid: 'of-a-virtual-sensor' };
    for (const removal of [(id: string) => `/sensors/${id}/sensors/${used}`, () => `/sensors/${used}`]) {
      const virtual = await buildSensor(owner);
      await owner.api.post(`/sensors/${virtual}/device`, { device });
      assert.equal(await typeOf(virtual), '1');
      await connect(virtual, used);
      assert.equal(await typeOf(virtual), '2');
      assert.equal((await owner.api.delete(removal(virtual))).status, 200);
      assert.equal(await typeOf(virtual), '0');
      assert.equal((await owner.api.get(`/sensors/${virtual}/device`)).body.device.uuid, device.uuid);
    }
  });

  it('never use themselves, directly or indirectly, even when two requests would close a cycle at the same time', async () => {
    const [a, b, c] = [await buildSensor(owner), await buildSensor(owner), await buildSensor(owner)];
    assert.equal((await connect(a, a)).status, 409);
    await connect(a, b);
    await connect(b, c);
    assert.equal((await connect(c, a)).status, 409);
    const [x, y] = [await buildSensor(owner), await buildSensor(owner)];
    const responses = await Promise.all([connect(x, y), connect(y, x)]);
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409]);
  });

  it('must belong to the user and may only use sensors that are visible to the user', async () => {
    const [mine, theirs] = [await buildSensor(owner), await buildSensor(friend)];
    assert.equal((await connect(mine, theirs)).status, 404);
    assert.equal((await connect(theirs, mine)).status, 404);
    await share(friend, theirs, owner);
    assert.equal((await connect(mine, theirs)).status, 201);
    assert.equal((await connect(theirs, mine)).status, 403);
    await friend.api.delete('/sensors/users');
    assert.deepEqual(idsOf((await owner.api.get(`/sensors/${mine}/sensors`)).body), []);
  });

  it('are disconnected from the service that writes to them, too', async () => {
    const { sensorId, serviceId } = await feedService(owner, 'math_service');
    assert.deepEqual(idsOf((await owner.api.get(`/sensors/${serviceId}/sensors`)).body), [sensorId]);
    assert.equal((await owner.api.delete(`/sensors/${serviceId}/sensors/${sensorId}`)).status, 200);
    assert.deepEqual((await owner.api.get(`/sensors/${sensorId}/services`)).body.services, []);
    assert.equal(await typeOf(serviceId), '0');
  });

  it('lose the sensors of a user whose account is deleted, and so do services', async () => {
    const leaving = await platform.user();
    const lent = await buildSensor(leaving);
    await share(leaving, lent, owner);
    const [alone, both, kept] = [await buildSensor(owner), await buildSensor(owner), await buildSensor(owner)];
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

  it('never keep a sensor whose owner is deleted while it is being connected', async () => {
    for (let round = 0; round < 4; round += 1) {
      const leaving = await platform.user();
      const [lent, virtual] = [await buildSensor(leaving), await buildSensor(owner)];
      await share(leaving, lent, owner);
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

  it('lose their service when the last sensor that feeds it is deleted', async () => {
    const { sensorId, serviceId } = await feedService(owner, 'math_service');
    await owner.api.delete(`/sensors/${sensorId}`);
    assert.equal((await owner.api.get(`/sensors/${serviceId}/services/${serviceId}/methods`)).status, 404);
    assert.equal(await typeOf(serviceId), '0');
  });
});
