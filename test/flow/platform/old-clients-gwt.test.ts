import assert from 'node:assert/strict';
import { usePlatform, useUser } from '../../support/hooks';
import { browserClient, type Call, idIn, type Parameters } from '../../support/old-clients';
import { rawRequest } from '../../support/raw-request';

/** The client sends this when no password was entered. */
const HASH_OF_NOTHING = 'd41d8cd98f00b204e9800998ecf8427e';

describe('the client of the dashboard', () => {
  const platform = usePlatform({ config: { MAIL_CONFIRMATION: 'required' } });
  const user = useUser(platform);
  const other = useUser(platform);
  let call: Call;

  before(async () => {
    call = browserClient(platform.url, user.session);
  });

  const form = (path: string, body: string) =>
    rawRequest(platform.url, path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' },
      body,
    });
  const buildSensor = async (name: string) => idIn(await call('POST', '/sensors', { sensor: { name } }));

  it('logs in with a form and logs out with a GET', async () => {
    const login = await form('/login', `username=${user.username}&password=${user.password}`);
    assert.equal(login.status, 200);
    const own = browserClient(platform.url, String(login.headers['x-session_id']));
    assert.equal((await own('GET', '/users/current')).status, 200);
    assert.equal((await own('GET', '/logout')).status, 200);
    assert.equal((await own('GET', '/users/current')).status, 401);
  });

  it('creates a group with every switch, which another user joins with a sensor', async () => {
    const rights = ['list_users', 'add_users', 'remove_users', 'list_sensors', 'add_sensors', 'remove_sensors'];
    const details = [
      'username',
      'first_name',
      'surname',
      'email',
      'id',
      'address',
      'zipcode',
      'country',
      'phone_number',
    ];
    const group = {
      ...{ name: 'rowers', email: 'rowers@example.org', username: 'row', password: HASH_OF_NOTHING, description: 'x' },
      ...{ public: true, hidden: false, anonymous: false, required_sensors: ['position'], optional_sensors: [] },
      ...Object.fromEntries(rights.map((right) => [`default_${right}`, true])),
      ...Object.fromEntries(details.map((detail) => [`required_show_${detail}`, true])),
    };
    const id = idIn(await call('POST', '/groups', { group }));
    const theirs = browserClient(platform.url, other.session);
    const sensor = idIn(await theirs('POST', '/sensors', { sensor: { name: 'position' } }));
    const joining = {
      user: { id: other.id, username: other.username },
      group_permissions: {},
      display_user_info: { show_id: true, show_username: true },
      sensors: [sensor],
      access_password: HASH_OF_NOTHING,
    };
    assert.equal((await theirs('POST', `/groups/${id}/users`, { users: [joining] })).status, 201);
    const { users } = (await call('GET', `/groups/${id}/users`, { per_page: 1000, page: 0 })).json;
    assert.ok(users.some((one: Parameters) => one.username === other.username));
    const { sensors, total } = (await call('GET', '/sensors', { group_id: id, details: 'full', owned: 0 })).json;
    assert.deepEqual([sensors[0].id, sensors[0].owner.id, total], [sensor, other.id, 1]);
    assert.equal((await call('DELETE', `/groups/${id}/users/${other.id}`)).status, 200);
  });

  it('shares a sensor and ends the sharing', async () => {
    const id = await buildSensor('shared');
    assert.equal((await call('POST', `/sensors/${id}/users`, { user: { username: other.username } })).status, 201);
    const { sensors } = (await call('GET', '/sensors', { shared: 1 })).json;
    assert.equal(sensors[0].users[0].id, other.id);
    assert.equal((await call('DELETE', `/sensors/${id}/users/${other.id}`)).status, 200);
    assert.deepEqual((await call('GET', '/sensors', { shared: 1 })).json.sensors, []);
  });

  it('stores one point with its date as a string and reads it by such dates', async () => {
    const id = await buildSensor('feedback');
    const data = { value: 'walking', date: '1343055000.250' };
    assert.equal((await call('POST', `/sensors/${id}/data`, { data })).status, 201);
    const query = { start_date: '1343055000.000', end_date: '1343055001.000', per_page: 1000, page: 0 };
    const read = await call('GET', `/sensors/${id}/data`, { ...query, next: 0, last: 0, sort: 'asc' });
    assert.deepEqual([read.json.data[0].value, read.json.data[0].date], ['walking', 1343055000.25]);
  });

  it('reads the available services and the methods of one', async () => {
    const id = await buildSensor('input');
    const all = (await call('GET', '/sensors/services/available', { page: 0, per_page: 1000 })).json;
    assert.equal(all.total, all.available_services.length);
    const { services } = all.available_services.find((one: Parameters) => one.sensor_id === id);
    const offered = (await call('GET', `/sensors/${id}/services/available`)).json.available_services;
    assert.deepEqual(services, offered);
    const made = await call('POST', `/sensors/${id}/services`, { service: { name: 'statistics_service' } });
    const path = `/sensors/${id}/services/${made.json.service.id}`;
    for (const method of (await call('GET', `${path}/methods`)).json.methods) {
      assert.deepEqual([typeof method.name, typeof method['return value']], ['string', 'string']);
      assert.ok(Array.isArray(method.parameters));
    }
    assert.equal((await call('POST', `${path}/SetWindow`, { parameters: ['5', 'points'] })).status, 200);
    assert.equal(typeof (await call('GET', `${path}/GetWindow`)).json.result, 'string');
  });
});
