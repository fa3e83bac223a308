import assert from 'node:assert/strict';
import { buildGroup } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { androidClient, type Call, idIn, javaClient, type Parameters } from '../../support/old-clients';

describe('the clients in Java', () => {
  const platform = usePlatform({ config: { MAIL_CONFIRMATION: 'required' } });
  const user = useUser(platform);

  const login = () => ({ username: user.username, password: user.password });

  describe('on a server', () => {
    let call: Call;

    it('finds its session and a cookie in the headers of a login', async () => {
      const { status, headers } = await javaClient(platform.url)('POST', '/login.json', login());
      assert.equal(status, 200);
      assert.ok(headers['set-cookie']);
      call = javaClient(platform.url, String(headers['x-session_id']));
    });

    it('creates a sensor and reads its id as a whole number', async () => {
      const sensor = { name: 'steps', type: 0, device_type: 'counter', display_name: 'Steps', data_type: 'integer' };
      const body = {
        sensor: { ...sensor, data_type_id: 0, data_structure: '', device: 'Device@1b2c', use_data_storage: 1 },
      };
      const { status, json } = await call('POST', '/sensors.json', body);
      assert.equal(status, 201);
      for (const key of ['id', 'type', 'data_type_id']) assert.ok(Number.isInteger(Number(json.sensor[key])));
      assert.equal(json.sensor.use_data_storage, true);
    });

    it('lists sensors with all of its parameters', async () => {
      const all = await call('GET', '/sensors.json?per_page=1000&details=full&page=0');
      assert.equal(all.json.sensors.length, 1);
      const filter = '&shared=0&owned=1&physical=1&details=no';
      assert.deepEqual((await call('GET', `/sensors.json?page=0&per_page=1000${filter}`)).json.sensors, []);
    });

    it('uploads and reads with dates in exponent form', async () => {
      const id = (await call('GET', '/sensors.json?per_page=1000&details=full&page=0')).json.sensors[0].id;
      const data = [
        { date: 1.395100000123e9, value: 5 },
        { date: '1.395100001E9', value: 'six' },
      ];
      assert.equal((await call('POST', `/sensors/${id}/data.json`, { data })).status, 201);
      const range = 'start_date=0.0&end_date=9.5617584E10&sort=ASC';
      const read = await call('GET', `/sensors/${id}/data.json?page=0&per_page=100&${range}`);
      assert.deepEqual(
        read.json.data.map(({ date, value }: Parameters) => [date, value]),
        [
          [1395100000.123, '5'],
          [1395100001, 'six'],
        ],
      );
      const last = await call('GET', `/sensors/${id}/data.json?page=0&per_page=100&${range}&date=1.395100001E9`);
      assert.equal(last.json.data[0].value, 'six');
      const [{ week, month, year, sensor_id }] = last.json.data;
      for (const number of [week, month, year, sensor_id]) assert.ok(Number.isInteger(Number(number)));
    });

    it('finds the key error in the response for a sensor without a device', async () => {
      const id = (await call('GET', '/sensors.json?per_page=1000&details=full&page=0')).json.sensors[0].id;
      assert.ok((await call('GET', `/sensors/${id}/device.json`)).json.error);
      assert.deepEqual((await call('GET', '/devices.json')).json.devices, []);
    });

    it('lists the groups that are not public', async () => {
      await buildGroup(user, { name: 'open', public: true });
      await buildGroup(user, { name: 'closed' });
      const { groups } = (await call('GET', '/groups.json?page=0&per_page=100&total=0&public=0')).json;
      assert.deepEqual(
        groups.map(({ name }: Parameters) => name),
        ['closed'],
      );
    });

    it('deletes a sensor', async () => {
      const id = (await call('GET', '/sensors.json?per_page=1000&details=full&page=0')).json.sensors[0].id;
      assert.equal((await call('DELETE', `/sensors/${id}.json`)).status, 200);
    });
  });

  describe('on Android', () => {
    let call: Call;

    it('keeps the whole cookie of a login and sends it with every call', async () => {
      const { status, headers } = await androidClient(platform.url)('POST', '/login.json', login());
      assert.equal(status, 200);
      const cookie = String(headers['set-cookie']);
      call = androidClient(platform.url, cookie);
      assert.equal((await call('GET', '/users/current.json')).json.user.id, user.id);
      const domain = androidClient(platform.url, `session_id=${headers['x-session_id']}; domain=.example.org`);
      assert.equal((await domain('GET', '/users/current.json')).status, 200);
    });

    it('registers a user once, and recognises an existing user the second time', async () => {
      const fields = { username: 'phone', password: 'a'.repeat(32), name: 'P', surname: 'Q', email: 'p@example.org' };
      const register = () => androidClient(platform.url)('POST', '/users.json', { user: { ...fields, mobile: '06' } });
      assert.deepEqual([(await register()).status, (await register()).status], [201, 409]);
    });

    it('registers sensors on its device and finds them again', async () => {
      const structure = '{"x-axis":"Double"}';
      const sensor = { name: 'accelerometer', device_type: 'BMA', display_name: 'acceleration', pager_type: '' };
      const body = { sensor: { ...sensor, data_type: 'json', data_structure: structure } };
      const created = await call('POST', '/sensors.json', body);
      assert.equal(created.status, 201, JSON.stringify(created.json));
      const id = idIn(created);
      const device = { type: 'Nexus 5', uuid: '356938035643809' };
      assert.equal((await call('POST', `/sensors/${id}/device.json`, { device })).status, 201);
      const { sensors } = (await call('GET', '/sensors.json?per_page=1000&details=full&page=0')).json;
      const found = sensors.find((one: Parameters) => one.id === id);
      assert.deepEqual([found.device_type, found.data_type, found.device.uuid], ['BMA', 'json', device.uuid]);
      const devices = (await call('GET', '/devices.json')).json.devices;
      assert.deepEqual([devices[0].type, devices[0].uuid], [device.type, device.uuid]);
    });

    it('uploads collected data of several sensors, with dates as strings', async () => {
      const ids = await Promise.all(
        ['noise', 'light'].map(async (name) => idIn(await call('POST', '/sensors.json', { sensor: { name } }))),
      );
      const data = [
        { value: '{"x-axis":0.5}', date: '1395100000.123' },
        { value: '7', date: '1395100001.000' },
      ];
      const sensors = ids.map((id) => ({ sensor_id: id, data }));
      assert.equal((await call('POST', '/sensors/data.json', { sensors })).status, 201);
      const { data: read } = (await call('GET', `/sensors/${ids[1]}/data.json?last=1`)).json;
      assert.deepEqual([read[0].value, read[0].date], ['7', 1395100001]);
    });

    it('joins a group and lists the sensors that a sensor uses', async () => {
      const owner = await platform.user();
      const group = await buildGroup(owner, { public: true });
      const joined = await call('POST', `/groups/${group}/users.json`, { users: [{ user: { id: user.id } }] });
      assert.equal(joined.status, 201);
      const id = idIn(await call('POST', '/sensors.json', { sensor: { name: 'virtual' } }));
      const used = await call('GET', `/sensors/${id}/sensors.json?per_page=1000&details=full`);
      assert.deepEqual([used.status, used.json.sensors], [200, []]);
    });

    it('shares a sensor, changes the password and requests a password reset', async () => {
      const other = await platform.user();
      const id = idIn(await call('POST', '/sensors', { sensor: { name: 'shared' } }));
      assert.equal((await call('POST', `/sensors/${id}/users`, { user: { id: other.id } })).status, 201);
      const passwords = { current_password: user.password, new_password: 'b'.repeat(32) };
      assert.equal((await call('POST', '/change_password', passwords)).status, 200);
      const email = `${user.username}@example.org`;
      const forgotten = await androidClient(platform.url)('POST', '/requestPasswordReset', { email });
      assert.equal(forgotten.status, 200);
    });
  });
});
