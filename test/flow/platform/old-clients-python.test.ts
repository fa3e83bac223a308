import assert from 'node:assert/strict';
import { usePlatform, useUser } from '../../support/hooks';
import { type Call, idIn, type Kept, type Parameters, pythonClient } from '../../support/old-clients';

/** The library considers these three statuses successful, and everything else a failure. */
function succeeded(response: Kept): Kept {
  assert.ok([200, 201, 302].includes(response.status), `${response.status}: ${JSON.stringify(response.json)}`);
  return response;
}

describe('the Python client', () => {
  const platform = usePlatform({ config: { MAIL_CONFIRMATION: 'required' } });
  const user = useUser(platform);
  const other = useUser(platform);
  let call: Call;
  const ok = async (method: string, path: string, parameters?: Parameters) =>
    succeeded(await call(method, path, parameters));

  before(async () => {
    call = pythonClient(platform.url, user.session);
  });

  /** Creates the sensor of the library's template with this name. */
  const buildSensor = async (name = 'thermometer', more: Parameters = {}): Promise<string> => {
    const sensor = {
      name,
      display_name: '',
      device_type: '',
      pager_type: '',
      data_type: '',
      data_structure: '',
      ...more,
    };
    return (await ok('POST', '/sensors.json', { sensor })).json.sensor.id;
  };

  it('registers, logs in, changes its user and logs out', async () => {
    const anonymous = pythonClient(platform.url);
    const fresh = { username: 'Zoë', password: '098f6bcd4621d373cade4e832627b4f6' };
    const details = { ...fresh, email: 'zoe@example.org', name: 'Zoë', surname: 'bar', mobile: '0612345678' };
    const created = succeeded(await anonymous('POST', '/users.json?disable_mail=1', { user: details }));
    assert.equal(created.json.user.name, 'Zoë');
    const { json } = succeeded(await anonymous('POST', '/login.json', fresh));
    const own = pythonClient(platform.url, json.session_id);
    const current = succeeded(await own('GET', '/users/current.json')).json.user;
    assert.equal(current.id, idIn(created));
    succeeded(await own('PUT', `/users/${current.id}.json`, { user: { ...current, name: 'Ann' } }));
    const passwords = { current_password: fresh.password, new_password: 'a'.repeat(32) };
    succeeded(await own('POST', '/change_password', passwords));
    succeeded(await own('POST', '/logout.json'));
    assert.equal((await own('GET', '/users/current.json')).status, 401);
  });

  it('recognises a refused login', async () => {
    const wrong = { username: user.username, password: 'f'.repeat(32) };
    const { status, json } = await pythonClient(platform.url)('POST', '/login.json', wrong);
    assert.deepEqual([status, json.error], [401, 'unauthorized']);
  });

  it('creates, lists, changes and deletes sensors', async () => {
    const created = await ok('POST', '/sensors.json', {
      sensor: { name: 'gyro', device_type: 'x', data_type: 'float' },
    });
    const id = idIn(created);
    assert.equal(created.json.sensor.id, id);
    const template = { page: 0, per_page: 100, shared: 0, owned: 1, physical: 0, details: 'full' };
    const { sensors } = (await ok('GET', '/sensors.json', template)).json;
    assert.ok(sensors.some((one: Parameters) => one.id === id && one.name === 'gyro' && one.device_type === 'x'));
    await ok('PUT', `/sensors/${id}.json`, { sensor: { ...created.json.sensor, name: 'top' } });
    assert.equal((await ok('GET', `/sensors/${id}.json`)).json.sensor.name, 'top');
    await ok('DELETE', `/sensors/${id}.json`);
    assert.equal((await call('GET', `/sensors/${id}.json`)).status, 404);
  });

  it('uploads to one sensor and to several, and reads with every parameter of its template', async () => {
    const [first, second] = [await buildSensor(), await buildSensor()];
    const data = [
      { value: 10, date: 1343055000 },
      { value: 11, date: 1343055001.25 },
    ];
    await ok('POST', `/sensors/${first}/data.json`, { data });
    await ok('POST', '/sensors/data.json', { sensors: [{ sensor_id: second, data }] });
    const template = { page: 0, per_page: 100, start_date: 0, end_date: 4294967296, date: 0, next: 0, last: 0 };
    const read = (await ok('GET', `/sensors/${first}/data.json`, { ...template, sort: 'ASC', total: 1 })).json;
    assert.deepEqual(
      [read.total, read.data.map(({ value, date }: Parameters) => [value, date])],
      [
        2,
        [
          ['10', 1343055000],
          ['11', 1343055001.25],
        ],
      ],
    );
    const both = (await ok('GET', '/sensors/data.json', { 'sensor_id[]': [first, second] })).json.data;
    assert.deepEqual(new Set(both.map((point: Parameters) => point.sensor_id)), new Set([first, second]));
    await ok('DELETE', `/sensors/${first}/data/${read.data[0].id}.json`);
    assert.equal((await ok('GET', `/sensors/${first}/data.json`, { last: 1 })).json.data[0].value, '11');
  });

  it('runs the math service', async () => {
    const sensor = await buildSensor('battery sensor', { data_type: 'float' });
    const body = {
      service: { name: 'math_service', data_fields: ['level'] },
      sensor: { name: 'ChargeNeeded', device_type: 'ChargeNeeded' },
    };
    const created = await ok('POST', `/sensors/${sensor}/services.json`, body);
    const service = created.json.service.id;
    assert.equal(idIn(created), service);
    const path = `/sensors/${sensor}/services/${service}`;
    await ok('POST', `${path}/SetExpression.json`, { parameters: [`_${sensor}_battery_sensor * 2`] });
    assert.equal((await ok('GET', `${path}/GetExpression.json`)).json.result, `_${sensor}_battery_sensor * 2`);
    await ok('POST', `${path}/SetExpression.json`, { parameters: [`_${sensor}_battery_sensor.level`] });
    await ok('POST', `${path}/SetUseDataTimestamp.json`, { parameters: [1] });
    const { services } = (await ok('GET', `/sensors/${sensor}/services.json`)).json;
    assert.deepEqual([services[0].id, services[0].name], [service, 'math_service']);
    await ok('DELETE', `${path}.json`);
  });

  it('connects triggers and notifications', async () => {
    const sensor = await buildSensor();
    const made = await ok('POST', '/triggers.json', { trigger: { name: 'inactive', expression: '', inactivity: 60 } });
    const trigger = made.json.trigger.id;
    const condition = { trigger: { name: 'high', expression: 'sensor_data_value > 5', inactivity: 0 } };
    const loud = (await ok('POST', '/triggers.json', condition)).json.trigger.id;
    await ok('POST', `/sensors/${sensor}/triggers`, { trigger: { id: trigger } });
    const destination = 'http://example.org/scripts';
    const body = { notification: { type: 'url', text: 'inactivity!', destination } };
    const notification = (await ok('POST', '/notifications.json', body)).json.notification.id;
    const path = `/sensors/${sensor}/triggers/${trigger}`;
    await ok('POST', `${path}/notifications.json`, { notification: { id: notification } });
    await ok('POST', `${path}/active`, { active: 0 });
    await ok('PUT', `/sensors/${sensor}/trigger/${trigger}.json`, { trigger: { id: trigger, active: 1 } });
    assert.equal((await ok('GET', `${path}.json`)).json.trigger.active, true);
    assert.equal((await ok('GET', `${path}/notifications.json`)).json.notifications[0].id, notification);
    assert.equal((await ok('GET', `/sensors/${sensor}/triggers.json`)).json.triggers[0].id, trigger);
    assert.equal((await ok('GET', '/triggers.json')).json.triggers.length, 2);
    await ok('DELETE', `${path}/notifications/${notification}.json`);
    await ok('DELETE', `${path}.json`);
    await ok('DELETE', `/triggers/${loud}`);
    await ok('DELETE', `/notifications/${notification}.json`);
  });

  it('subscribes to events', async () => {
    const notification = { type: 'email', text: 'herpaderp', destination: 'someone@example.org' };
    const { id } = (await ok('POST', '/notifications.json', { notification })).json.notification;
    const body = { event_notification: { name: 'my_event', event: 'add_sensor', notification_id: id, priority: 0 } };
    const made = (await ok('POST', '/events/notifications.json', body)).json.event_notification;
    const { event_notifications } = (await ok('GET', '/events/notifications.json')).json;
    assert.deepEqual([event_notifications[0].id, event_notifications[0].event], [made.id, 'add_sensor']);
    await ok('GET', `/events/notifications/${made.id}.json`);
    await ok('DELETE', `/events/notifications/${made.id}.json`);
  });

  it('puts a sensor on a device', async () => {
    const sensor = await buildSensor();
    const added = await ok('POST', `/sensors/${sensor}/device.json`, { device: { id: 0, type: 'phone', uuid: 35693 } });
    const { id } = added.json.device;
    assert.ok((await ok('GET', '/devices')).json.devices.some((device: Parameters) => device.id === id));
    assert.equal((await ok('GET', `/devices/${id}`)).json.device.uuid, '35693');
    const query = { page: 0, per_page: 100, details: 'full' };
    assert.equal((await ok('GET', `/devices/${id}/sensors.json`, query)).json.sensors[0].id, sensor);
  });

  it('creates a group that others join, shares a sensor with it and leaves it', async () => {
    const sensor = await buildSensor();
    const group = { group: { name: 'testers', description: 'Group for testing', public: true, hidden: true } };
    const created = await ok('POST', '/groups.json', group);
    const id = idIn(created);
    await ok('PUT', `/groups/${id}`, group);
    const query = { page: 0, per_page: 100, total: 0, public: 1 };
    const { groups } = (await ok('GET', '/groups.json', query)).json;
    assert.ok(groups.some((one: Parameters) => one.id === id));
    assert.equal((await ok('GET', `/groups/${id}.json`, query)).json.group.name, 'testers');
    await ok('POST', `/groups/${id}/users.json`, { users: [{ user: { id: user.id } }] });
    const joining = { users: [{ user: { id: '', username: other.username } }] };
    succeeded(await pythonClient(platform.url, other.session)('POST', `/groups/${id}/users.json`, joining));
    const { users } = (await ok('GET', `/groups/${id}/users.json`, { details: 'full' })).json;
    assert.equal(users.length, 2);
    await ok('POST', `/groups/${id}/sensors.json`, { sensors: [{ id: sensor }] });
    await ok('GET', `/groups/${id}/sensors.json`, { page: 0 });
    await ok('DELETE', `/groups/${id}/sensors/${sensor}.json`);
    await ok('DELETE', `/groups/${id}/users/${user.id}.json`);
  });

  it('labels sensors with metatags and finds them', async () => {
    const sensor = await buildSensor('labelled');
    const path = `/sensors/${sensor}/metatags.json`;
    await ok('POST', `${path}?namespace=house`, { metatags: { room: ['kitchen'], floor: [1] } });
    const { metatags } = (await ok('GET', path, { namespace: 'house' })).json;
    assert.deepEqual(metatags, { room: ['kitchen'], floor: [1] });
    const listed = (await ok('GET', '/sensors/metatags.json', { details: 'full', namespace: 'house' })).json.sensors;
    assert.deepEqual(listed.find((one: Parameters) => one.id === sensor).metatags, metatags);
    const filter = { metatag_statement_groups: [[{ metatag_name: 'room', operator: 'equal', value: 'KITCHEN' }]] };
    const found = (await ok('POST', '/sensors/find.json?details=full&namespace=house', { filter })).json.sensors;
    assert.deepEqual(
      found.map((one: Parameters) => [one.id, one.name]),
      [[sensor, 'labelled']],
    );
    const query = { namespace: 'house' };
    const { distinct_values } = (await ok('GET', '/metatag_name/room/distinct_values.json', query)).json;
    assert.deepEqual(distinct_values, ['kitchen']);
  });

  it('finds sensors of a group by their metatags', async () => {
    const sensor = await buildSensor('shared');
    const id = idIn(await ok('POST', '/groups.json', { group: { name: 'finders' } }));
    await ok('POST', `/groups/${id}/sensors.json`, { sensors: [{ id: sensor }] });
    await ok('POST', `/sensors/${sensor}/metatags.json?namespace=default`, { metatags: { room: ['attic'] } });
    const listed = await ok('GET', `/groups/${id}/sensors/metatags.json`, { details: 'no', namespace: 'default' });
    assert.equal(listed.json.sensors[0].id, sensor);
    const filter = { metatag_statement_groups: [[{ metatag_name: 'room', operator: 'is_set' }]] };
    const found = await ok('POST', `/groups/${id}/sensors/find.json?namespace=default`, { filter });
    assert.equal(found.json.sensors[0].id, sensor);
  });
});
