import assert from 'node:assert/strict';
import { usePlatform, useUser } from '../../support/hooks';
import { type Call, type Kept, type Parameters, rubyClient } from '../../support/old-clients';
import { rawRequest } from '../../support/raw-request';

describe('the Ruby client', () => {
  const platform = usePlatform({ config: { MAIL_CONFIRMATION: 'required' } });
  const user = useUser(platform);
  let call: Call;

  before(async () => {
    call = rubyClient(platform.url, user.session);
  });

  /** Any other status is an exception in the library. */
  const expecting = async (status: number, method: string, path: string, parameters?: Parameters): Promise<Kept> => {
    const response = await call(method, path, parameters);
    assert.equal(response.status, status, JSON.stringify(response.json));
    return response;
  };
  /** The library searches the plural in the location, and takes everything behind it as the id. */
  const create = async (plural: string, parameters: Parameters): Promise<string> => {
    const { headers } = await expecting(201, 'POST', `/${plural}.json`, parameters);
    const id = new RegExp(`.*/${plural}/(.*)`).exec(headers.location ?? '')?.[1];
    assert.match(id ?? '', /^\d+$/);
    return String(id);
  };

  it('logs in, reads its user and logs out', async () => {
    const credentials = { username: user.username, password: user.password };
    const login = await rubyClient(platform.url)('POST', '/login.json', credentials);
    assert.equal(login.status, 200);
    const own = rubyClient(platform.url, login.json.session_id);
    assert.equal((await own('GET', '/users/current.json')).json.user.username, user.username);
    assert.equal((await own('HEAD', '/users/current.json')).status, 200);
    assert.equal((await own('POST', '/logout.json')).status, 200);
    const { status, json } = await own('GET', '/users/current.json');
    assert.deepEqual([status, typeof json.error], [401, 'string']);
  });

  it('reads the reason of a failure from the body', async () => {
    const { status, json } = await call('POST', '/triggers.json', { trigger: { name: 'odd', expression: '1 +' } });
    assert.deepEqual([status, typeof json.error], [400, 'string']);
  });

  it('saves, finds, changes and deletes a sensor of JSON values', async () => {
    const data_structure = JSON.stringify({ 'x-axis': 'Float', 'y-axis': 'Float' });
    const sensor = { name: 'accelerometer', display_name: 'Accelerometer', device_type: 'BMA123', pager_type: 'email' };
    const id = await create('sensors', { sensor: { ...sensor, data_type: 'json', data_structure } });
    const found = (await expecting(200, 'GET', `/sensors/${id}.json`)).json.sensor;
    assert.deepEqual(JSON.parse(found.data_structure), JSON.parse(data_structure));
    await expecting(200, 'PUT', `/sensors/${id}.json`, { sensor: { id, ...sensor, name: 'edited' } });
    const query = { page: 0, per_page: 1000, owned: 1, physical: 0, details: 'full' };
    const { sensors, total } = (await expecting(200, 'GET', '/sensors.json', query)).json;
    assert.equal(sensors.find((one: Parameters) => one.id === id).name, 'edited');
    assert.equal(total, sensors.length);
    await expecting(200, 'DELETE', `/sensors/${id}.json`);
  });

  it('saves data points one by one and in batches, and reads them page by page', async () => {
    const id = await create('sensors', { sensor: { name: 'light' } });
    const value = JSON.stringify({ lux: 1 });
    await expecting(201, 'POST', `/sensors/${id}/data.json`, { data: [{ date: 1395100000.123, value }] });
    const batch = [1, 2, 3].map((index) => ({ date: 1395100000 + index, value: index }));
    await expecting(201, 'POST', '/sensors/data.json', { sensors: [{ sensor_id: id, data: batch }] });
    const from = { page: 0, per_page: 1000, start_date: 1395100000, end_date: 1395100010.0 };
    const { data } = (await expecting(200, 'GET', `/sensors/${id}/data.json`, from)).json;
    assert.deepEqual(
      data.map((point: Parameters) => point.value),
      [value, '1', '2', '3'],
    );
    const newest = { page: 0, per_page: 1, sort: 'DESC' };
    const last = (await expecting(200, 'GET', `/sensors/${id}/data.json`, newest)).json.data;
    assert.deepEqual([last.length, last[0].value, last[0].date], [1, '3', 1395100003]);
    const hourly = { page: 0, per_page: 1000, interval: 3600 };
    assert.equal((await expecting(200, 'GET', `/sensors/${id}/data.json`, hourly)).json.data.length, 1);
    await expecting(200, 'DELETE', `/sensors/${id}/data/${last[0].id}.json`);
  });

  it('reads a long, compressed page', async () => {
    const id = await create('sensors', { sensor: { name: 'long' } });
    const data = Array.from({ length: 1000 }, (_, index) => ({ date: 1395100000 + index, value: index }));
    await expecting(201, 'POST', `/sensors/${id}/data.json`, { data });
    const page = await expecting(200, 'GET', `/sensors/${id}/data.json`, { page: 0, per_page: 1000 });
    assert.equal(page.headers['content-encoding'], 'gzip');
    assert.equal(page.json.data.length, 1000);
  });

  it('saves and lists groups', async () => {
    const group = {
      name: 'rowers',
      anonymous: false,
      public: true,
      hidden: false,
      access_password: '',
      description: 'x',
    };
    const id = await create('groups', { group: { ...group, default_list_users: true, required_show_id: 1 } });
    const query = { page: 0, per_page: 1000, public: 1, total: 1, sort: 'DESC', sort_field: 'name' };
    const { groups } = (await expecting(200, 'GET', '/groups.json', query)).json;
    assert.equal(groups[0].id, id);
    await expecting(200, 'PUT', `/groups/${id}.json`, { group: { ...groups[0], description: 'y' } });
    assert.equal((await expecting(200, 'GET', `/groups/${id}.json`)).json.group.description, 'y');
    await expecting(200, 'DELETE', `/groups/${id}.json`);
  });

  it('saves triggers and notifications, and lists their connections', async () => {
    const trigger = await create('triggers', { trigger: { name: 'high', expression: 'sensor_data_value > 5' } });
    const saved = (await expecting(200, 'GET', `/triggers/${trigger}.json`)).json.trigger;
    await expecting(200, 'PUT', `/triggers/${trigger}.json`, { trigger: { ...saved, name: 'higher' } });
    const notification = { type: 'email', text: 'look', destination: 'someone@example.org' };
    const id = await create('notifications', { notification });
    const stored = (await expecting(200, 'GET', `/notifications/${id}.json`)).json.notification;
    assert.equal(stored.destination, notification.destination);
    const sensor = await create('sensors', { sensor: { name: 'watched' } });
    await expecting(201, 'POST', `/sensors/${sensor}/triggers.json`, { triggers: [{ trigger: { id: trigger } }] });
    const { triggers } = (await expecting(200, 'GET', '/sensors/triggers.json', { page: 0 })).json;
    assert.deepEqual([triggers[0].sensor_id, triggers[0].id], [sensor, trigger]);
    const listed = (await expecting(200, 'GET', '/triggers.json', { page: 0, per_page: 1000, total: 1 })).json;
    assert.deepEqual([listed.total, listed.triggers[0].name], [1, 'higher']);
    await expecting(200, 'DELETE', `/triggers/${trigger}.json`);
    await expecting(200, 'DELETE', `/notifications/${id}.json`);
  });

  it('saves the user that it read', async () => {
    const read = (await expecting(200, 'GET', '/users/current.json')).json.user;
    await expecting(200, 'PUT', `/users/${read.id}.json`, { user: { ...read, uuid: read.UUID, surname: 'Jones' } });
    assert.equal((await expecting(200, 'GET', `/users/${read.id}.json`)).json.user.surname, 'Jones');
  });

  it('may send its session as a parameter', async () => {
    const path = `/sensors.json?page=0&session_id=${user.session}`;
    assert.equal((await rawRequest(platform.url, path)).status, 200);
  });
});
