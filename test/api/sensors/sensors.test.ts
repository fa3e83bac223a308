import assert from 'node:assert/strict';
import { buildSensor, share, upload } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';

describe('sensors over HTTP', () => {
  const platform = usePlatform();
  const owner = useUser(platform);
  const friend = useUser(platform);
  const stranger = useUser(platform);

  it('responds to a new sensor with its whole record and its location', async () => {
    const created = await owner.api.post('/sensors', { sensor: { name: 'thermometer' } });
    assert.equal(created.status, 201);
    assert.equal(created.headers.get('location'), `${platform.url}/sensors/${created.body.sensor.id}`);
    const { id, ...record } = created.body.sensor;
    assert.match(id, /^[1-9][0-9]*$/);
    assert.deepEqual(record, {
      name: 'thermometer',
      display_name: '',
      type: '0',
      device_type: '',
      data_type_id: '0',
      pager_type: '',
      data_type: '',
      data_structure: '',
      unit: '',
      field_units: {},
      expected_interval: null,
      state: 'none',
      state_since: null,
      use_data_storage: true,
    });
    assert.deepEqual((await owner.api.get(`/sensors/${id}`)).body, created.body);
  });

  it('accepts every field, an object as data structure, and changes only the given fields', async () => {
    const fields = {
      name: 'accelerometer',
      display_name: 'Pocket 📱',
      device_type: 'phone',
      data_type_id: 7,
      pager_type: 'p',
      data_type: 'json',
      data_structure: { 'x-axis': 'float' },
      unit: 'm/s²',
      field_units: { 'x-axis': 'm/s²', 'position.height': 'm' },
      expected_interval: '300',
      use_data_storage: '0',
    };
    const state = { state: 'none', state_since: null, expected_interval: 300 };
    const expected = {
      ...fields,
      ...state,
      data_type_id: '7',
      data_structure: '{"x-axis":"float"}',
      use_data_storage: false,
    };
    const { body } = await owner.api.post('/sensors', { sensor: fields });
    const { id, type, ...record } = body.sensor;
    assert.deepEqual(record, expected);
    const changed = await owner.api.put(`/sensors/${id}`, { sensor: { display_name: 'Bag' } });
    assert.equal(changed.status, 200);
    assert.deepEqual(changed.body.sensor, { id, type, ...expected, display_name: 'Bag' });
  });

  it('removes units, and refuses ones that are too long', async () => {
    const id = await buildSensor(owner, { unit: '°C', field_units: { lux: 'lx' } });
    const change = async (fields: object) => (await owner.api.put(`/sensors/${id}`, { sensor: fields })).body;
    const { sensor } = await change({ unit: null, field_units: {} });
    assert.deepEqual([sensor.unit, sensor.field_units], ['', {}]);
    assert.deepEqual(Object.keys((await change({ field_units: { lux: 'x'.repeat(33) } })).fields), [
      'sensor.field_units.lux',
    ]);
    assert.deepEqual(Object.keys((await change({ unit: 'x'.repeat(33) })).fields), ['sensor.unit']);
  });

  it('accepts a whole record as it was read', async () => {
    const id = await buildSensor(owner, { data_structure: '{"a":"b"}' });
    const { sensor } = (await owner.api.get(`/sensors/${id}`)).body;
    const changed = await owner.api.put(`/sensors/${id}.json`, { sensor: { ...sensor, name: 'renamed', type: '1' } });
    assert.equal(changed.status, 200);
    assert.deepEqual(changed.body.sensor, { ...sensor, name: 'renamed' });
  });

  const refused: [string, Record<string, unknown>, string][] = [
    ['no name', { display_name: 'x' }, 'sensor.name'],
    ['an empty name', { name: '' }, 'sensor.name'],
    ['a name of 256 characters', { name: 'n'.repeat(256) }, 'sensor.name'],
    ['a data type id that is no number', { name: 'n', data_type_id: 'x' }, 'sensor.data_type_id'],
    ['a data structure that is no JSON', { name: 'n', data_structure: '{x' }, 'sensor.data_structure'],
    ['a number as data structure', { name: 'n', data_structure: 5 }, 'sensor.data_structure'],
    ['a storage setting that is no boolean', { name: 'n', use_data_storage: 'maybe' }, 'sensor.use_data_storage'],
  ];
  for (const [what, sensor, field] of refused) {
    it(`refuses ${what} and names ${field}`, async () => {
      const response = await owner.api.post('/sensors', { sensor });
      assert.equal(response.status, 400);
      assert.deepEqual(Object.keys(response.body.fields), [field]);
    });
  }

  it('shows a sensor to its owner and to users with whom it is shared, and to nobody else', async () => {
    const id = await buildSensor(owner);
    assert.equal((await stranger.api.get(`/sensors/${id}`)).status, 404);
    assert.equal((await stranger.api.put(`/sensors/${id}`, { sensor: { name: 'x' } })).status, 404);
    assert.equal((await stranger.api.delete(`/sensors/${id}`)).status, 404);
    assert.equal((await platform.anonymous.get(`/sensors/${id}`)).status, 401);
    for (const nothing of ['0', 'x', '-1', '99999999']) {
      assert.equal((await owner.api.get(`/sensors/${nothing}`)).status, 404);
    }
    await share(owner, id, friend);
    const seen = await friend.api.get(`/sensors/${id}`);
    assert.equal(seen.status, 200);
    assert.equal(seen.body.sensor.owner.username, owner.username);
    assert.equal((await friend.api.put(`/sensors/${id}`, { sensor: { name: 'x' } })).status, 403);
  });

  it('only ends the sharing when a reader deletes the sensor', async () => {
    const id = await buildSensor(owner);
    await share(owner, id, friend);
    const response = await friend.api.delete(`/sensors/${id}`);
    assert.deepEqual([response.status, response.body], [200, {}]);
    assert.equal((await friend.api.get(`/sensors/${id}`)).status, 404);
    assert.equal((await owner.api.get(`/sensors/${id}`)).status, 200);
  });

  it('deletes the sensor for its owner and leaves the data to the purge', async () => {
    const id = await buildSensor(owner);
    await share(owner, id, friend);
    await upload(owner, id, { value: 1, date: 1 });
    assert.equal((await owner.api.delete(`/sensors/${id}`)).status, 200);
    for (const user of [owner, friend]) assert.equal((await user.api.get(`/sensors/${id}`)).status, 404);
    assert.equal((await owner.api.get(`/sensors/${id}/data`)).status, 404);
    assert.equal((await owner.api.delete(`/sensors/${id}`)).status, 404);
    await platform.container.purge.run();
    const points = await platform.query('SELECT date_ms FROM data_points WHERE sensor_id = ?', [id]);
    assert.equal(points.length, 0);
  });

  describe('the list', () => {
    const reader = useUser(platform);
    const other = useUser(platform);
    const own: string[] = [];
    const foreign: string[] = [];

    before(async () => {
      for (let i = 0; i < 3; i += 1) {
        own.push(await buildSensor(reader));
        foreign.push(await buildSensor(other));
      }
      await buildSensor(other);
      for (const id of foreign) await share(other, id, reader);
      await share(reader, own[1] as string, other); // three were made above
      await platform.query('UPDATE sensors SET type = 1 WHERE id IN (?)', [[own[0], foreign[2]]]);
    });

    const ids = async (query: string): Promise<string[]> => {
      const response = await reader.api.get(`/sensors${query}`);
      assert.equal(response.status, 200);
      return response.body.sensors.map((sensor: { id: string }) => sensor.id);
    };
    const sorted = (...list: (string | undefined)[]) => list.sort((a, b) => Number(a) - Number(b));

    it('contains own and shared sensors in order of id, and always their number', async () => {
      const { body } = await reader.api.get('/sensors');
      assert.deepEqual(await ids(''), sorted(...own, ...foreign));
      assert.equal(body.total, 6);
      assert.equal((await reader.api.get('/sensors?per_page=1&page=9')).body.total, 6);
    });

    it('has pages without gaps', async () => {
      const pages = [await ids('?per_page=4'), await ids('?per_page=4&page=1'), await ids('?per_page=4&page=2')];
      assert.deepEqual(
        pages.map((page) => page.length),
        [4, 2, 0],
      );
      assert.deepEqual(pages.flat(), sorted(...own, ...foreign));
    });

    it('filters by ownership, sharing and device', async () => {
      assert.deepEqual(await ids('?owned=1'), own);
      assert.deepEqual(await ids('?owned=0'), foreign);
      assert.deepEqual(await ids('?shared=1'), [own[1]]);
      assert.deepEqual(await ids('?shared=1&owned=0'), []);
      assert.deepEqual(await ids('?physical=1'), sorted(own[0], foreign[2]));
      assert.deepEqual(await ids('?shared=0&physical=0'), sorted(...own, ...foreign));
      assert.deepEqual(await ids('?owned=&page=&details='), sorted(...own, ...foreign));
      assert.equal((await reader.api.get('/sensors?physical=1&owned=1')).body.total, 1);
    });

    it('names the owner of shared sensors, and the readers of own ones', async () => {
      const foreigners = (await reader.api.get('/sensors?owned=0')).body.sensors;
      for (const sensor of foreigners) assert.equal(sensor.owner.id, other.id);
      for (const sensor of (await reader.api.get('/sensors?owned=1')).body.sensors) assert.ok(!('owner' in sensor));
      const [shared] = (await reader.api.get('/sensors?shared=1')).body.sensors;
      assert.deepEqual(
        shared.users.map((user: { username: string }) => user.username),
        [other.username],
      );
    });

    it('contains only ids with details=no', async () => {
      const { body } = await reader.api.get('/sensors?details=no&owned=1');
      assert.deepEqual(body, { sensors: own.map((id) => ({ id })), total: 3 });
    });

    it('refuses invalid parameters by their names', async () => {
      for (const [name, value] of [
        ['page', '-1'],
        ['per_page', '0'],
        ['owned', 'x'],
        ['details', 'x'],
      ]) {
        const response = await reader.api.get(`/sensors?${name}=${value}`);
        assert.equal(response.status, 400);
        assert.deepEqual(Object.keys(response.body.fields), [name]);
      }
      assert.equal((await reader.api.get('/sensors?group_id=5')).status, 404);
    });
  });
});
