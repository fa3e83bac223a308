import assert from 'node:assert/strict';
import { buildSensor, share } from '../../support/factories';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import type { TestUser } from '../../support/platform';

describe('devices', () => {
  const platform = usePlatform();
  const owner = useUserPerTest(platform);
  const friend = useUserPerTest(platform);
  const stranger = useUserPerTest(platform);
  const phone = { type: 'phone', uuid: 'uuid-1' };

  const attach = async ({ api }: TestUser, sensorId: string, device: Record<string, unknown> = phone) => {
    const response = await api.post(`/sensors/${sensorId}/device`, { device });
    assert.equal(response.status, 201, JSON.stringify(response.body));
    return response.body.device;
  };
  const typeOf = async ({ api }: TestUser, sensorId: string): Promise<string> =>
    (await api.get(`/sensors/${sensorId}`)).body.sensor.type;
  const idsOf = (things: { id: string }[]) => things.map(({ id }) => id);

  it('are created by a new type and uuid, and make the sensor physical', async () => {
    const id = await buildSensor(owner);
    const response = await owner.api.post(`/sensors/${id}/device`, { device: phone });
    assert.equal(response.status, 201);
    assert.deepEqual(response.body, { device: { id: response.body.device.id, ...phone } });
    assert.match(response.body.device.id, /^\d+$/);
    assert.equal(response.headers.get('location'), `${platform.url}/devices/${response.body.device.id}`);
    assert.equal(await typeOf(owner, id), '1');
    for (const path of [`/sensors/${id}/device`, `/sensors/${id}/device.json`, `/devices/${response.body.device.id}`]) {
      const read = await owner.api.get(path);
      assert.deepEqual([read.status, read.body], [200, response.body], path);
    }
  });

  it('are the same for exactly the same type and uuid of one owner', async () => {
    const [first, second] = [await buildSensor(owner), await buildSensor(owner)];
    const device = await attach(owner, first);
    assert.equal((await attach(owner, second)).id, device.id);
    for (const other of [
      { ...phone, type: 'Phone' },
      { ...phone, uuid: 'UUID-1' },
      { ...phone, type: 'tablet' },
    ]) {
      assert.notEqual((await attach(owner, await buildSensor(owner), other)).id, device.id);
    }
    assert.notEqual((await attach(friend, await buildSensor(friend))).id, device.id);
    assert.equal((await owner.api.get('/devices?total=1')).body.total, 4);
  });

  it('are found by their id, as a number or a string, even when another type and uuid are given', async () => {
    const { id } = await attach(owner, await buildSensor(owner));
    for (const device of [{ id }, { id: Number(id) }, { id, type: 'x', uuid: 'y' }]) {
      assert.deepEqual(await attach(owner, await buildSensor(owner), device), { id, ...phone });
    }
  });

  it('take an empty id, null or 0 next to type and uuid as no id', async () => {
    const { id } = await attach(owner, await buildSensor(owner));
    for (const empty of ['', 0, '0', null]) {
      assert.equal((await attach(owner, await buildSensor(owner), { id: empty, ...phone })).id, id);
    }
  });

  it('may be given in a form with bracket names', async () => {
    const id = await buildSensor(owner);
    const response = await owner.api.post(
      `/sensors/${id}/device`,
      'device[type]=phone&device[uuid]=u%20u&device[id]=',
      {
        'Content-Type': 'application/x-www-form-urlencoded',
      },
    );
    assert.equal(response.status, 201);
    assert.equal(response.body.device.uuid, 'u u');
  });

  const refused: [string, unknown, string][] = [
    ['no body', {}, 'device'],
    ['no name', { device: {} }, 'device'],
    ['only the id 0', { device: { id: 0 } }, 'device'],
    ['a type without a uuid', { device: { type: 'phone', uuid: '' } }, 'device.uuid'],
    ['a uuid without a type', { device: { uuid: 'u' } }, 'device.type'],
    ['a uuid of 256 characters', { device: { type: 't', uuid: 'u'.repeat(256) } }, 'device.uuid'],
    ['a list as type', { device: { type: ['t'], uuid: 'u' } }, 'device.type'],
    ['a device that is a string', { device: '5' }, 'device'],
  ];
  for (const [what, body, field] of refused) {
    it(`refuse ${what} and name ${field}`, async () => {
      const id = await buildSensor(owner);
      const response = await owner.api.post(`/sensors/${id}/device`, body);
      assert.equal(response.status, 400);
      assert.deepEqual(Object.keys(response.body.fields), [field]);
      assert.equal(await typeOf(owner, id), '0');
    });
  }

  it('are invisible to other users', async () => {
    const { id } = await attach(owner, await buildSensor(owner));
    for (const path of [`/devices/${id}`, `/devices/${id}/sensors`]) {
      assert.equal((await stranger.api.get(path)).status, 404, path);
      assert.equal((await platform.anonymous.get(path)).status, 401, path);
    }
    assert.deepEqual((await stranger.api.get('/devices?total=1')).body, { devices: [], total: 0 });
    const own = await buildSensor(stranger);
    for (const device of [id, '99999999', 'x', '-1']) {
      assert.equal((await stranger.api.post(`/sensors/${own}/device`, { device: { id: device } })).status, 404);
    }
    assert.equal(await typeOf(stranger, own), '0');
  });

  it('can be set only by the owner of the sensor', async () => {
    const id = await buildSensor(owner);
    const mine = await attach(friend, await buildSensor(friend));
    const body = { device: { id: mine.id } };
    assert.equal((await friend.api.post(`/sensors/${id}/device`, body)).status, 404);
    assert.equal((await friend.api.delete(`/sensors/${id}/device`)).status, 404);
    await share(owner, id, friend);
    assert.equal((await friend.api.post(`/sensors/${id}/device`, body)).status, 403);
    assert.equal((await friend.api.delete(`/sensors/${id}/device`)).status, 403);
  });

  it('are readable through a sensor by every user to whom the sensor is visible', async () => {
    const id = await buildSensor(owner);
    const device = await attach(owner, id);
    assert.equal((await friend.api.get(`/sensors/${id}/device`)).status, 404);
    await share(owner, id, friend);
    assert.deepEqual((await friend.api.get(`/sensors/${id}/device`)).body, { device });
    assert.equal((await friend.api.get(`/devices/${device.id}`)).status, 404);
    assert.equal((await friend.api.delete(`/sensors/${id}/device/${device.id}`)).status, 403);
  });

  it('release a sensor with or without the id of the device, and the sensor becomes plain again', async () => {
    const id = await buildSensor(owner);
    for (const named of [true, false]) {
      const device = await attach(owner, id);
      const response = await owner.api.delete(`/sensors/${id}/device${named ? `/${device.id}` : ''}`);
      assert.deepEqual([response.status, response.body], [200, {}]);
      assert.equal(await typeOf(owner, id), '0');
      assert.equal((await owner.api.get(`/sensors/${id}/device`)).status, 404);
      assert.equal((await owner.api.delete(`/sensors/${id}/device`)).status, 404);
    }
  });

  it('keep a sensor when the id is that of another device', async () => {
    const id = await buildSensor(owner);
    const device = await attach(owner, id);
    const other = await attach(owner, await buildSensor(owner), { ...phone, uuid: 'other' });
    for (const wrong of [other.id, '99999999', 'x']) {
      assert.equal((await owner.api.delete(`/sensors/${id}/device/${wrong}`)).status, 404);
    }
    assert.deepEqual((await owner.api.get(`/sensors/${id}/device`)).body, { device });
    assert.equal(await typeOf(owner, id), '1');
  });

  it('leave a sensor virtual that has started to use other sensors', async () => {
    const id = await buildSensor(owner);
    await attach(owner, id);
    await platform.query('UPDATE sensors SET type = 2 WHERE id = ?', [id]);
    assert.equal((await owner.api.delete(`/sensors/${id}/device`)).status, 200);
    assert.equal(await typeOf(owner, id), '2');
  });

  it('share no sensor with another device, and remain when their last sensor leaves', async () => {
    const id = await buildSensor(owner);
    const first = await attach(owner, id);
    const second = await attach(owner, id, { ...phone, uuid: 'second' });
    assert.deepEqual((await owner.api.get(`/sensors/${id}/device`)).body, { device: second });
    assert.deepEqual((await owner.api.get(`/devices/${first.id}/sensors?total=1`)).body, { sensors: [], total: 0 });
    assert.deepEqual((await owner.api.get('/devices')).body, { devices: [first, second] });
    await owner.api.delete(`/sensors/${id}`);
    assert.equal((await owner.api.get(`/devices/${second.id}`)).status, 200);
  });

  it('are listed page by page in order of id, and so are their sensors', async () => {
    const sensors = [await buildSensor(owner), await buildSensor(owner), await buildSensor(owner)];
    const { id } = await attach(owner, sensors[0] ?? '');
    for (const sensor of sensors) await attach(owner, sensor, { id });
    const { body } = await owner.api.get(`/devices/${id}/sensors`);
    assert.deepEqual(idsOf(body.sensors), sensors);
    assert.ok(!('total' in body));
    const { sensor } = (await owner.api.get(`/sensors/${sensors[0]}`)).body;
    assert.deepEqual([body.sensors[0], sensor.state], [sensor, 'none']);
    const page = (await owner.api.get(`/devices/${id}/sensors?page=1&per_page=2&total=1`)).body;
    assert.deepEqual([idsOf(page.sensors), page.total], [sensors.slice(2), 3]);
    await attach(owner, sensors[2] ?? '', { ...phone, uuid: 'second' });
    const devices = (await owner.api.get('/devices?per_page=1&page=1&total=1')).body;
    assert.deepEqual([devices.devices[0].uuid, devices.total], ['second', 2]);
    for (const path of ['/devices', `/devices/${id}/sensors`]) {
      assert.equal((await owner.api.get(`${path}?per_page=0`)).status, 400);
    }
  });

  it('are created once when many sensors are put on a new one at the same time', async () => {
    const sensors = await Promise.all(Array.from({ length: 8 }, () => buildSensor(owner)));
    const devices = await Promise.all(sensors.map((sensor) => attach(owner, sensor)));
    assert.equal(new Set(idsOf(devices)).size, 1);
    assert.equal((await owner.api.get('/devices?total=1')).body.total, 1);
  });

  it('hold a sensor once when it is put on several devices at the same time', async () => {
    const id = await buildSensor(owner);
    await Promise.all(['a', 'b', 'c', 'd'].map((uuid) => attach(owner, id, { ...phone, uuid })));
    const { devices } = (await owner.api.get('/devices')).body;
    const held = await Promise.all(idsOf(devices).map((one) => owner.api.get(`/devices/${one}/sensors`)));
    assert.equal(devices.length, 4);
    assert.deepEqual(
      held.flatMap(({ body }) => idsOf(body.sensors)),
      [id],
    );
  });

  it('cause no server error when the sensor is deleted at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await buildSensor(owner);
      const [attached, deleted] = await Promise.all([
        owner.api.post(`/sensors/${id}/device`, { device: phone }),
        owner.api.delete(`/sensors/${id}`),
      ]);
      assert.equal(deleted.status, 200);
      assert.ok([201, 404].includes(attached.status), String(attached.status));
    }
  });

  it('are deleted with the account of their owner', async () => {
    const { id } = await attach(owner, await buildSensor(owner));
    assert.equal((await owner.api.delete(`/users/${owner.id}`)).status, 200);
    const rows = await platform.query('SELECT id FROM devices WHERE id = ?', [id]);
    assert.deepEqual(rows, []);
  });
});
