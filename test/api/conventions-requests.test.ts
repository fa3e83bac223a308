import assert from 'node:assert/strict';
import { type Platform, startPlatform, type TestUser } from '../support/platform';
import { rawRequest } from '../support/raw-request';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('what clients may send', () => {
  let platform: Platform;
  let user: TestUser;
  let sensorId: string;

  before(async () => {
    platform = await startPlatform();
    user = await platform.user();
  });
  after(() => platform.close());

  beforeEach(async () => {
    sensorId = (await user.api.post('/sensors', { sensor: { name: 'lamp' } })).body.sensor.id;
  });

  const raw = (path: string, method = 'GET', headers: Record<string, string> = {}) =>
    rawRequest(platform.url, path, { method, headers: { 'X-SESSION_ID': user.session, ...headers } });
  const values = async (query: string) => {
    const answer = await user.api.get(`/sensors/${sensorId}/data?${query}`);
    assert.equal(answer.status, 200, `${query}: ${JSON.stringify(answer.body)}`);
    return answer.body.data.map((point: { value: string }) => point.value).join();
  };

  it('a POST with _METHOD in the query, a form or JSON acts as PUT or DELETE', async () => {
    const path = `/sensors/${sensorId}`;
    const byQuery = await user.api.post(`${path}.json?_METHOD=PUT`, { sensor: { name: 'one' } });
    assert.deepEqual([byQuery.status, byQuery.body.sensor.name], [200, 'one']);
    const byForm = await user.api.post(path, '_METHOD=put&sensor[name]=two', FORM);
    assert.deepEqual([byForm.status, byForm.body.sensor.name], [200, 'two']);
    const byJson = await user.api.post(path, { _METHOD: 'PUT', sensor: { name: 'three' } });
    assert.deepEqual([byJson.status, byJson.body.sensor.name], [200, 'three']);
    assert.deepEqual((await user.api.post(path, '_METHOD=DELETE', FORM)).body, {});
    assert.equal((await user.api.get(path)).status, 404);
  });

  it('_METHOD means nothing on a GET, and only PUT and DELETE can be meant', async () => {
    assert.equal((await user.api.get(`/sensors/${sensorId}?_METHOD=DELETE`)).status, 200);
    assert.equal((await user.api.get(`/sensors/${sensorId}`)).status, 200);
    for (const method of ['GET', 'PATCH', '', '__proto__']) {
      assert.equal((await user.api.post(`/sensors/${sensorId}?_METHOD=${method}`)).status, 405, method);
    }
    assert.equal((await user.api.post('/sensors?_METHOD=POST', { sensor: { name: 'x' } })).status, 201);
  });

  it('no Accept header is ever a reason to refuse', async () => {
    for (const accept of ['*', '*/*, *', 'application/json', 'text/html', 'image/png;q=1', ';;', '']) {
      const answer = await raw('/sensors', 'GET', { Accept: accept });
      assert.equal(answer.status, 200, accept);
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    }
    const { headers } = await raw('/nowhere', 'GET', { Accept: 'text/html' });
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  });

  it('an empty query, doubled and trailing slashes and a whole address as path are harmless', async () => {
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
      const answer = await raw(path);
      assert.equal(answer.status, 200, path);
      assert.equal(JSON.parse(answer.text).sensor.id, sensorId);
    }
  });

  it('ids come as numbers or texts', async () => {
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

  it('booleans come as true, 1 or text in any letter case', async () => {
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
      const answer = await user.api.put(`/sensors/${sensorId}`, { sensor: { use_data_storage: value } });
      assert.equal(answer.status, 400, JSON.stringify(value));
      assert.deepEqual(Object.keys(answer.body.fields), ['sensor.use_data_storage']);
    }
  });

  it('dates come as number or text, with exponent, and are rounded to milliseconds', async () => {
    const dates: [unknown, number][] = [
      [1795229544, 1795229544],
      ['1795229544', 1795229544],
      ['1.795229544E9', 1795229544],
      ['1.795229544125e+9', 1795229544.125],
      [1795229544.1256, 1795229544.126],
      ['1795229544.1254', 1795229544.125],
    ];
    for (const [date, expected] of dates) {
      const made = (await user.api.post('/sensors', { sensor: { name: 'x' } })).body.sensor.id;
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

  it('sort comes in any letter case, and neutral values of a read mean "not given"', async () => {
    await user.api.post(`/sensors/${sensorId}/data`, { data: [1, 2, 3].map((value) => ({ value, date: value })) });
    for (const sort of ['desc', 'DESC', 'Desc']) assert.equal(await values(`sort=${sort}`), '3,2,1');
    assert.equal(await values('sort=asc'), '1,2,3');
    assert.equal(await values('sort='), '1,2,3');
    assert.equal(await values('date=0&next=0&last=0&start_date=0&end_date=0'), '1,2,3');
    assert.equal(await values('date=&next=&last=&start_date=&end_date=&interval=&page=&per_page=&total='), '1,2,3');
    assert.equal(await values('last=1'), '3');
    assert.equal(await values('date=1&next=true'), '2');
    assert.equal((await user.api.get(`/sensors/${sensorId}/data?sort=up`)).status, 400);
  });

  it('null and an empty text of an optional field mean "not given", also inactivity 0 beside an expression', async () => {
    const all = { display_name: 'shown', data_type: 'float', use_data_storage: false };
    await user.api.put(`/sensors/${sensorId}`, { sensor: all });
    const neutral = { name: '', display_name: null, data_type: '', use_data_storage: null, data_structure: '' };
    const { sensor } = (await user.api.put(`/sensors/${sensorId}`, { sensor: neutral })).body;
    assert.deepEqual({ name: 'lamp', ...all }, { ...all, ...pick(sensor, ['name', ...Object.keys(all)]) });
    const trigger = { name: 'alarm', expression: 'sensor_data_value > 5', inactivity: 0, id: '' };
    const made = await user.api.post('/triggers', { trigger });
    assert.deepEqual([made.status, made.body.trigger.inactivity], [201, null]);
  });

  it('unknown keys are ignored, so that a record can be sent back as it was read', async () => {
    const { body } = await user.api.get(`/sensors/${sensorId}`);
    const sent = { ...body, sensor: { ...body.sensor, name: 'new', colour: { of: ['things'] } }, more: 1 };
    const answer = await user.api.put(`/sensors/${sensorId}?verbose=1`, sent);
    assert.deepEqual([answer.status, answer.body], [200, { sensor: { ...body.sensor, name: 'new' } }]);
    assert.equal((await user.api.get('/sensors?colour=red&callback=x')).status, 200);
  });

  it('a known key with a wrong value is an error that names it, and so is a missing one', async () => {
    const wrong = await user.api.post('/triggers', { trigger: { name: { a: 1 }, inactivity: 'soon' } });
    assert.equal(wrong.status, 400);
    assert.deepEqual(Object.keys(wrong.body.fields).sort(), ['trigger.inactivity', 'trigger.name']);
    const missing = await user.api.post('/sensors', {});
    assert.deepEqual([missing.status, Object.keys(missing.body.fields)], [400, ['sensor']]);
  });

  it('a value that is none of a choice is an error that names the whole choice', async () => {
    const details = await user.api.get('/sensors?details=some');
    assert.deepEqual([details.status, details.body.fields], [400, { details: 'must be one of full, no' }]);
    const statement = { metatag_name: 'room', operator: 'like', value: 'x' };
    const { body } = await user.api.post('/sensors/find', { filter: { metatag_statement_groups: [[statement]] } });
    assert.deepEqual(body.fields, {
      'filter.metatag_statement_groups[0][0].operator': 'must be one of equal, in, is_set',
    });
  });
});

function pick(record: Record<string, unknown>, keys: string[]): Record<string, unknown> {
  return Object.fromEntries(keys.map((key) => [key, record[key]]));
}
