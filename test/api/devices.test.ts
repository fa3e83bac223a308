import assert from 'node:assert/strict';
import { type Platform, startPlatform, type TestUser } from '../support/platform';

describe('devices', () => {
  let platform: Platform;
  let owner: TestUser;
  let friend: TestUser;
  let stranger: TestUser;
  const phone = { type: 'phone', uuid: 'uuid-1' };

  before(async () => {
    platform = await startPlatform();
  });
  after(() => platform.close());
  beforeEach(async () => {
    [owner, friend, stranger] = [await platform.user(), await platform.user(), await platform.user()];
  });

  const sensorOf = async ({ api }: TestUser): Promise<string> =>
    (await api.post('/sensors', { sensor: { name: 'a sensor' } })).body.sensor.id;
  const share = (sensorId: string, user: TestUser) =>
    owner.api.post(`/sensors/${sensorId}/users`, { user: { id: user.id } });
  const attach = async ({ api }: TestUser, sensorId: string, device: Record<string, unknown> = phone) => {
    const answer = await api.post(`/sensors/${sensorId}/device`, { device });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.device;
  };
  const typeOf = async ({ api }: TestUser, sensorId: string): Promise<string> =>
    (await api.get(`/sensors/${sensorId}`)).body.sensor.type;
  const idsOf = (things: { id: string }[]) => things.map(({ id }) => id);

  it('are made by a new type and uuid, and make the sensor physical', async () => {
    const id = await sensorOf(owner);
    const answer = await owner.api.post(`/sensors/${id}/device`, { device: phone });
    assert.equal(answer.status, 201);
    assert.deepEqual(answer.body, { device: { id: answer.body.device.id, ...phone } });
    assert.match(answer.body.device.id, /^\d+$/);
    assert.equal(answer.headers.get('location'), `${platform.url}/devices/${answer.body.device.id}`);
    assert.equal(await typeOf(owner, id), '1');
    for (const path of [`/sensors/${id}/device`, `/sensors/${id}/device.json`, `/devices/${answer.body.device.id}`]) {
      const read = await owner.api.get(path);
      assert.deepEqual([read.status, read.body], [200, answer.body], path);
    }
  });

  it('are the same for the same type and uuid of one owner, to the letter', async () => {
    const [first, second] = [await sensorOf(owner), await sensorOf(owner)];
    const device = await attach(owner, first);
    assert.equal((await attach(owner, second)).id, device.id);
    for (const other of [
      { ...phone, type: 'Phone' },
      { ...phone, uuid: 'UUID-1' },
      { ...phone, type: 'tablet' },
    ]) {
      assert.notEqual((await attach(owner, await sensorOf(owner), other)).id, device.id);
    }
    assert.notEqual((await attach(friend, await sensorOf(friend))).id, device.id);
    assert.equal((await owner.api.get('/devices?total=1')).body.total, 4);
  });

  it('are found by their id, as a number or a text, even beside another type and uuid', async () => {
    const { id } = await attach(owner, await sensorOf(owner));
    for (const device of [{ id }, { id: Number(id) }, { id, type: 'x', uuid: 'y' }]) {
      assert.deepEqual(await attach(owner, await sensorOf(owner), device), { id, ...phone });
    }
  });

  it('take an empty id, null or 0 beside type and uuid for none', async () => {
    const { id } = await attach(owner, await sensorOf(owner));
    for (const empty of ['', 0, '0', null]) {
      assert.equal((await attach(owner, await sensorOf(owner), { id: empty, ...phone })).id, id);
    }
  });

  it('are named in a form with brackets, too', async () => {
    const id = await sensorOf(owner);
    const answer = await owner.api.post(`/sensors/${id}/device`, 'device[type]=phone&device[uuid]=u%20u&device[id]=', {
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    assert.equal(answer.status, 201);
    assert.equal(answer.body.device.uuid, 'u u');
  });

  const refused: [string, unknown, string][] = [
    ['no body', {}, 'device'],
    ['no name', { device: {} }, 'device'],
    ['only the id 0', { device: { id: 0 } }, 'device'],
    ['a type without a uuid', { device: { type: 'phone', uuid: '' } }, 'device.uuid'],
    ['a uuid without a type', { device: { uuid: 'u' } }, 'device.type'],
    ['a uuid of 256 characters', { device: { type: 't', uuid: 'u'.repeat(256) } }, 'device.uuid'],
    ['a list as type', { device: { type: ['t'], uuid: 'u' } }, 'device.type'],
    ['a device that is a text', { device: '5' }, 'device'],
  ];
  for (const [what, body, field] of refused) {
    it(`refuse ${what} and name ${field}`, async () => {
      const id = await sensorOf(owner);
      const answer = await owner.api.post(`/sensors/${id}/device`, body);
      assert.equal(answer.status, 400);
      assert.deepEqual(Object.keys(answer.body.fields), [field]);
      assert.equal(await typeOf(owner, id), '0');
    });
  }

  it('do not exist for anybody else', async () => {
    const { id } = await attach(owner, await sensorOf(owner));
    for (const path of [`/devices/${id}`, `/devices/${id}/sensors`]) {
      assert.equal((await stranger.api.get(path)).status, 404, path);
      assert.equal((await platform.anonymous.get(path)).status, 401, path);
    }
    assert.deepEqual((await stranger.api.get('/devices?total=1')).body, { devices: [], total: 0 });
    const own = await sensorOf(stranger);
    for (const device of [id, '99999999', 'x', '-1']) {
      assert.equal((await stranger.api.post(`/sensors/${own}/device`, { device: { id: device } })).status, 404);
    }
    assert.equal(await typeOf(stranger, own), '0');
  });

  it('are put on by the owner of the sensor alone', async () => {
    const id = await sensorOf(owner);
    const mine = await attach(friend, await sensorOf(friend));
    const body = { device: { id: mine.id } };
    assert.equal((await friend.api.post(`/sensors/${id}/device`, body)).status, 404);
    assert.equal((await friend.api.delete(`/sensors/${id}/device`)).status, 404);
    await share(id, friend);
    assert.equal((await friend.api.post(`/sensors/${id}/device`, body)).status, 403);
    assert.equal((await friend.api.delete(`/sensors/${id}/device`)).status, 403);
  });

  it('are read through a sensor by whoever sees the sensor', async () => {
    const id = await sensorOf(owner);
    const device = await attach(owner, id);
    assert.equal((await friend.api.get(`/sensors/${id}/device`)).status, 404);
    await share(id, friend);
    assert.deepEqual((await friend.api.get(`/sensors/${id}/device`)).body, { device });
    assert.equal((await friend.api.get(`/devices/${device.id}`)).status, 404);
    assert.equal((await friend.api.delete(`/sensors/${id}/device/${device.id}`)).status, 403);
  });

  it('lose a sensor with and without being named, which makes it plain again', async () => {
    const id = await sensorOf(owner);
    for (const named of [true, false]) {
      const device = await attach(owner, id);
      const answer = await owner.api.delete(`/sensors/${id}/device${named ? `/${device.id}` : ''}`);
      assert.deepEqual([answer.status, answer.body], [200, {}]);
      assert.equal(await typeOf(owner, id), '0');
      assert.equal((await owner.api.get(`/sensors/${id}/device`)).status, 404);
      assert.equal((await owner.api.delete(`/sensors/${id}/device`)).status, 404);
    }
  });

  it('keep a sensor when another device is named', async () => {
    const id = await sensorOf(owner);
    const device = await attach(owner, id);
    const other = await attach(owner, await sensorOf(owner), { ...phone, uuid: 'other' });
    for (const wrong of [other.id, '99999999', 'x']) {
      assert.equal((await owner.api.delete(`/sensors/${id}/device/${wrong}`)).status, 404);
    }
    assert.deepEqual((await owner.api.get(`/sensors/${id}/device`)).body, { device });
    assert.equal(await typeOf(owner, id), '1');
  });

  it('leave a sensor virtual that came to use others', async () => {
    const id = await sensorOf(owner);
    await attach(owner, id);
    await platform.query('UPDATE sensors SET type = 2 WHERE id = ?', [id]);
    assert.equal((await owner.api.delete(`/sensors/${id}/device`)).status, 200);
    assert.equal(await typeOf(owner, id), '2');
  });

  it('carry a sensor one at a time, and stay without sensors', async () => {
    const id = await sensorOf(owner);
    const first = await attach(owner, id);
    const second = await attach(owner, id, { ...phone, uuid: 'second' });
    assert.deepEqual((await owner.api.get(`/sensors/${id}/device`)).body, { device: second });
    assert.deepEqual((await owner.api.get(`/devices/${first.id}/sensors?total=1`)).body, { sensors: [], total: 0 });
    assert.deepEqual((await owner.api.get('/devices')).body, { devices: [first, second] });
    await owner.api.delete(`/sensors/${id}`);
    assert.equal((await owner.api.get(`/devices/${second.id}`)).status, 200);
  });

  it('and their sensors are listed in pages, by id', async () => {
    const sensors = [await sensorOf(owner), await sensorOf(owner), await sensorOf(owner)];
    const { id } = await attach(owner, sensors[0] ?? '');
    for (const sensor of sensors) await attach(owner, sensor, { id });
    const { body } = await owner.api.get(`/devices/${id}/sensors`);
    assert.deepEqual(idsOf(body.sensors), sensors);
    assert.ok(!('total' in body));
    assert.deepEqual(body.sensors[0], (await owner.api.get(`/sensors/${sensors[0]}`)).body.sensor);
    const page = (await owner.api.get(`/devices/${id}/sensors?page=1&per_page=2&total=1`)).body;
    assert.deepEqual([idsOf(page.sensors), page.total], [sensors.slice(2), 3]);
    await attach(owner, sensors[2] ?? '', { ...phone, uuid: 'second' });
    const devices = (await owner.api.get('/devices?per_page=1&page=1&total=1')).body;
    assert.deepEqual([devices.devices[0].uuid, devices.total], ['second', 2]);
    for (const path of ['/devices', `/devices/${id}/sensors`]) {
      assert.equal((await owner.api.get(`${path}?per_page=0`)).status, 400);
    }
  });

  it('are made once when many sensors come to a new one at once', async () => {
    const sensors = await Promise.all(Array.from({ length: 8 }, () => sensorOf(owner)));
    const devices = await Promise.all(sensors.map((sensor) => attach(owner, sensor)));
    assert.equal(new Set(idsOf(devices)).size, 1);
    assert.equal((await owner.api.get('/devices?total=1')).body.total, 1);
  });

  it('hold a sensor once when it is put on several at the same time', async () => {
    const id = await sensorOf(owner);
    await Promise.all(['a', 'b', 'c', 'd'].map((uuid) => attach(owner, id, { ...phone, uuid })));
    const { devices } = (await owner.api.get('/devices')).body;
    const held = await Promise.all(idsOf(devices).map((one) => owner.api.get(`/devices/${one}/sensors`)));
    assert.equal(devices.length, 4);
    assert.deepEqual(
      held.flatMap(({ body }) => idsOf(body.sensors)),
      [id],
    );
  });

  it('meet no error of ours when the sensor is deleted at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await sensorOf(owner);
      const [attached, deleted] = await Promise.all([
        owner.api.post(`/sensors/${id}/device`, { device: phone }),
        owner.api.delete(`/sensors/${id}`),
      ]);
      assert.equal(deleted.status, 200);
      assert.ok([201, 404].includes(attached.status), String(attached.status));
    }
  });

  it('go with their owner, and so the sensors', async () => {
    const { id } = await attach(owner, await sensorOf(owner));
    assert.equal((await owner.api.delete(`/users/${owner.id}`)).status, 200);
    const rows = await platform.query('SELECT id FROM devices WHERE id = ?', [id]);
    assert.deepEqual(rows, []);
  });
});
