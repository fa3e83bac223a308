import assert from 'node:assert/strict';
import { buildSensor, upload } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { rawRequest } from '../../support/raw-request';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('requests of lenient clients', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  let sensorId: string;

  beforeEach(async () => {
    sensorId = await buildSensor(user, { name: 'lamp' });
  });

  const raw = (path: string, method = 'GET', headers: Record<string, string> = {}) =>
    rawRequest(platform.url, path, { method, headers: { 'X-SESSION_ID': user.session, ...headers } });
  const values = async (query: string) => {
    const response = await user.api.get(`/sensors/${sensorId}/data?${query}`);
    assert.equal(response.status, 200, `${query}: ${JSON.stringify(response.body)}`);
    return response.body.data.map((point: { value: string }) => point.value).join();
  };

  it('act as PUT or DELETE when a POST has _METHOD in the query, a form or JSON', async () => {
    const path = `/sensors/${sensorId}`;
    const byQuery = await user.api.post(`${path}.json?_METHOD=PUT`, { sensor: { name: 'one' } });
    assert.deepEqual([byQuery.status, byQuery.body.sensor.name], [200, 'one']);
    const byForm = await user.api.post(path, '_METHOD=put&sensor[name]=two', FORM);
    assert.deepEqual([byForm.status, byForm.body.sensor.name], [200, 'two']);
    const byJson = await user.api.post(path, { _METHOD: 'PUT', sensor: { name: 'three' } });
    assert.deepEqual([byJson.status, byJson.body.sensor.name], [200, 'three']);
    assert.equal((await user.api.post(`${path}.json.json?_METHOD=DELETE`)).status, 404, 'one ending is left out');
    assert.deepEqual((await user.api.post(path, '_METHOD=DELETE', FORM)).body, {});
    assert.equal((await user.api.get(path)).status, 404);
  });

  it('ignore _METHOD on a GET, and allow only PUT and DELETE as its value', async () => {
    assert.equal((await user.api.get(`/sensors/${sensorId}?_METHOD=DELETE`)).status, 200);
    assert.equal((await user.api.get(`/sensors/${sensorId}`)).status, 200);
    for (const method of ['GET', 'PATCH', '', '__proto__']) {
      assert.equal((await user.api.post(`/sensors/${sensorId}?_METHOD=${method}`)).status, 405, method);
    }
    assert.equal((await user.api.post('/sensors?_METHOD=POST', { sensor: { name: 'x' } })).status, 201);
  });

  it('are never refused because of their Accept header', async () => {
    for (const accept of ['*', '*/*, *', 'application/json', 'text/html', 'image/png;q=1', ';;', '']) {
      const response = await raw('/sensors', 'GET', { Accept: accept });
      assert.equal(response.status, 200, accept);
      assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
    }
    const { headers } = await raw('/nowhere', 'GET', { Accept: 'text/html' });
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  });

  it('may have an empty query, doubled and trailing slashes and an absolute URL as path', async () => {
    const paths = [
      `/sensors/${sensorId}?`,
      `/sensors/${sensorId}.json?`,
      `//sensors/${sensorId}`,
      `/sensors//${sensorId}`,
      `///sensors///${sensorId}///`,
      `/sensors/${sensorId}/`,
      `//sensors//${sensorId}.json?&`,
      `${platform.url}/sensors/${sensorId}`,
      `${platform.url}//sensors/${sensorId}.json?`,
    ];
    for (const path of paths) {
      const response = await raw(path);
      assert.equal(response.status, 200, path);
      assert.equal(JSON.parse(response.text).sensor.id, sensorId);
    }
  });

  it('may give ids as numbers or strings', async () => {
    for (const id of [sensorId, Number(sensorId), `0${sensorId}`]) {
      const body = { sensors: [{ sensor_id: id, data: { value: 1, date: 1 } }] };
      assert.equal((await user.api.post('/sensors/data', body)).status, 201, String(id));
    }
    const made = await user.api.post('/notifications', {
      notification: { type: 'email', destination: 'a@example.org' },
    });
    for (const id of [made.body.notification.id, Number(made.body.notification.id)]) {
      const event_notification = { event: 'add_sensor', notification_id: id };
      assert.equal((await user.api.post('/events/notifications', { event_notification })).status, 201);
    }
  });

  it('may give booleans as true, 1 or a string in any letter case', async () => {
    const given: [unknown, boolean][] = [
      [true, true],
      [1, true],
      ['1', true],
      ['true', true],
      ['TRUE', true],
      [false, false],
      [0, false],
      ['0', false],
      ['false', false],
    ];
    for (const [value, expected] of given) {
      const body = { sensor: { use_data_storage: value } };
      const { sensor } = (await user.api.put(`/sensors/${sensorId}`, body)).body;
      assert.equal(sensor.use_data_storage, expected, JSON.stringify(value));
    }
    for (const value of [2, 'yes', {}, [true]]) {
      const response = await user.api.put(`/sensors/${sensorId}`, { sensor: { use_data_storage: value } });
      assert.equal(response.status, 400, JSON.stringify(value));
      assert.deepEqual(Object.keys(response.body.fields), ['sensor.use_data_storage']);
    }
  });

  it('may give dates as a number or a string, with an exponent; dates are rounded to milliseconds', async () => {
    const dates: [unknown, number][] = [
      [1795229544, 1795229544],
      ['1795229544', 1795229544],
      ['1.795229544E9', 1795229544],
      ['1.795229544125e+9', 1795229544.125],
      [1795229544.1256, 1795229544.126],
      ['1795229544.1254', 1795229544.125],
    ];
    for (const [date, expected] of dates) {
      const made = await buildSensor(user);
      assert.equal((await user.api.post(`/sensors/${made}/data`, { value: 1, date })).status, 201);
      const { body } = await user.api.get(`/sensors/${made}/data?date=${encodeURIComponent(String(date))}`);
      assert.equal(body.data[0]?.date, expected, String(date));
    }
    for (const date of ['yesterday', '2026-01-01', {}, [1], true, -1, 1e300]) {
      assert.equal((await user.api.post(`/sensors/${sensorId}/data`, { value: 1, date })).status, 400, String(date));
    }
    for (const date of ['yesterday', '1,5', '[]', 'NaN', '0x10']) {
      assert.equal((await user.api.get(`/sensors/${sensorId}/data?start_date=${date}`)).status, 400, date);
    }
  });

  it('may give sort in any letter case, and neutral values of a read mean "not given"', async () => {
    await upload(
      user,
      sensorId,
      [1, 2, 3].map((value) => ({ value, date: value })),
    );
    for (const sort of ['desc', 'DESC', 'Desc']) assert.equal(await values(`sort=${sort}`), '3,2,1');
    assert.equal(await values('sort=asc'), '1,2,3');
    assert.equal(await values('sort='), '1,2,3');
    assert.equal(await values('date=0&next=0&last=0&start_date=0&end_date=0'), '1,2,3');
    assert.equal(await values('date=&next=&last=&start_date=&end_date=&interval=&page=&per_page=&total='), '1,2,3');
    assert.equal(await values('last=1'), '3');
    assert.equal(await values('date=1&next=true'), '2');
    assert.equal((await user.api.get(`/sensors/${sensorId}/data?sort=up`)).status, 400);
  });

  it('mean "not given" by null, an empty string, and inactivity 0 in addition to an expression', async () => {
    const all = { display_name: 'shown', data_type: 'float', use_data_storage: false };
    await user.api.put(`/sensors/${sensorId}`, { sensor: all });
    const neutral = { name: '', display_name: null, data_type: '', use_data_storage: null, data_structure: '' };
    const { sensor } = (await user.api.put(`/sensors/${sensorId}`, { sensor: neutral })).body;
    assert.deepEqual({ name: 'lamp', ...all }, { ...all, ...pick(sensor, ['name', ...Object.keys(all)]) });
    const trigger = { name: 'alarm', expression: 'sensor_data_value > 5', inactivity: 0, id: '' };
    const made = await user.api.post('/triggers', { trigger });
    assert.deepEqual([made.status, made.body.trigger.inactivity], [201, null]);
  });

  it('may have unknown keys, so that a record can be sent back as it was read', async () => {
    const { body } = await user.api.get(`/sensors/${sensorId}`);
    const sent = { ...body, sensor: { ...body.sensor, name: 'new', colour: { of: ['things'] } }, more: 1 };
    const response = await user.api.put(`/sensors/${sensorId}?verbose=1`, sent);
    assert.deepEqual([response.status, response.body], [200, { sensor: { ...body.sensor, name: 'new' } }]);
    assert.equal((await user.api.get('/sensors?colour=red&callback=x')).status, 200);
  });

  it('with a wrong value, or without a required one, are refused with the name of the field', async () => {
    const wrong = await user.api.post('/triggers', { trigger: { name: { a: 1 }, inactivity: 'soon' } });
    assert.equal(wrong.status, 400);
    assert.deepEqual(Object.keys(wrong.body.fields).sort(), ['trigger.inactivity', 'trigger.name']);
    const missing = await user.api.post('/sensors', {});
    assert.deepEqual([missing.status, Object.keys(missing.body.fields)], [400, ['sensor']]);
  });

  it('with a value outside of an enumeration are refused with all allowed values', async () => {
    const details = await user.api.get('/sensors?details=some');
    assert.deepEqual([details.status, details.body.fields], [400, { details: 'must be one of full, no' }]);
    const statement = { metatag_name: 'room', operator: 'like', value: 'x' };
    const { body } = await user.api.post('/sensors/find', { filter: { metatag_statement_groups: [[statement]] } });
    assert.deepEqual(body.fields, {
      'filter.metatag_statement_groups[0][0].operator': 'must be one of equal, in, is_set, <, <=, >, >=',
    });
  });
});

function pick(record: Record<string, unknown>, keys: string[]): Record<string, unknown> {
  return Object.fromEntries(keys.map((key) => [key, record[key]]));
}
