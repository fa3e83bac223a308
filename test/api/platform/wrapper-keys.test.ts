import assert from 'node:assert/strict';
import {
  buildEnvironment,
  buildGroup,
  buildNotification,
  buildSensor,
  buildTrigger,
  type Fields,
} from '../../support/factories';
import { usePlatform, useUser, useUserPerTest } from '../../support/hooks';
import { rawRequest } from '../../support/raw-request';

describe('a body without the wrapper key of its record', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const friend = useUser(platform);

  it('is taken as the record itself when it creates something', async () => {
    const url = 'http://127.0.0.1:9/';
    const notification_id = await buildNotification(user);
    const created: [string, string, Fields][] = [
      ['/sensors', 'sensor', { name: 'lamp', device_type: 'x' }],
      ['/triggers', 'trigger', { name: 'hot', expression: 'sensor_data_value > 30' }],
      ['/notifications', 'notification', { type: 'url', destination: url, text: 'hot' }],
      ['/environments', 'environment', { name: 'home', floors: 2 }],
      ['/groups', 'group', { name: 'team' }],
      ['/events/notifications', 'event_notification', { name: 'mine', event: 'add_sensor', notification_id }],
    ];
    for (const [path, key, fields] of created) {
      const { status, body } = await user.api.post(path, { id: '5', ...fields });
      assert.equal(status, 201, `${path}: ${JSON.stringify(body)}`);
      assert.equal(body[key].name ?? body[key].destination, fields.name ?? url);
    }
  });

  it('is taken as the record when it changes something, and when it names something to connect', async () => {
    const id = await buildSensor(user);
    const used = await buildSensor(user);
    const [trigger, environment, group] = [
      await buildTrigger(user),
      await buildEnvironment(user),
      await buildGroup(user),
    ];
    assert.equal((await user.api.put(`/sensors/${id}`, { name: 'new' })).body.sensor.name, 'new');
    assert.equal((await user.api.put(`/users/${user.id}`, { surname: 'New' })).body.user.surname, 'New');
    const connected: [string, Fields][] = [
      [`/sensors/${id}/users`, { id: friend.id }],
      [`/sensors/${id}/device`, { type: 'phone', uuid: '1' }],
      [`/sensors/${id}/triggers`, { id: trigger }],
      [`/environments/${environment}/sensors`, { id }],
      [`/groups/${group}/sensors`, { id }],
      [`/sensors/${id}/sensors`, { id: used }],
      [`/sensors/${used}/services`, { name: 'math_service', data_fields: ['sensor_value'] }],
    ];
    for (const [path, body] of connected) assert.equal((await user.api.post(path, body)).status, 201, path);
    assert.equal((await user.api.post('/users/blocked', { username: friend.username })).status, 200);
  });

  it('is taken from a form and from the query as well', async () => {
    const session = { 'X-SESSION_ID': user.session };
    const form = { ...session, 'Content-Type': 'application/x-www-form-urlencoded' };
    const posted = await rawRequest(platform.url, '/sensors', {
      method: 'POST',
      headers: form,
      body: 'name=lamp&type=0',
    });
    assert.equal(JSON.parse(posted.text).sensor.name, 'lamp');
    const query = await rawRequest(platform.url, '/sensors?name=lamp', { method: 'POST', headers: session, body: '' });
    assert.equal(JSON.parse(query.text).sensor.name, 'lamp');
  });

  it('registers a user, with what stands next to the record', async () => {
    const account = { username: 'bare', email: 'bare@example.org', password: user.password };
    const { status, body } = await platform.anonymous.post('/users', { ...account, disable_mail: 1 });
    assert.deepEqual([status, body.user.username], [201, 'bare']);
  });

  it('is still refused when it has no field of the record, or the wrapper is there', async () => {
    for (const body of [
      {},
      { names: 'lamp' },
      { id: '5' },
      { sensor: null, name: 'lamp' },
      { sensor: '', name: 'lamp' },
    ]) {
      const response = await user.api.post('/sensors', body);
      assert.deepEqual([response.status, response.body.fields], [400, { sensor: 'is required' }]);
    }
    const both = await user.api.post('/sensors', { name: 'outer', sensor: { name: 'inner' } });
    assert.equal(both.body.sensor.name, 'inner');
    const wrong = await user.api.post('/sensors', { device_type: 'x' });
    assert.deepEqual(wrong.body.fields, { 'sensor.name': 'is required' });
  });
});
