import assert from 'node:assert/strict';
import { usePlatform, useUser } from '../../support/hooks';
import { browserClient, type Call, idIn, nodeClient, type Parameters } from '../../support/old-clients';

import { rawRequest } from '../../support/raw-request';

const clients = { 'a page': { client: browserClient, end: '.json' }, Node: { client: nodeClient, end: '' } };

for (const [place, { client, end }] of Object.entries(clients)) {
  describe(`the JavaScript client in ${place}`, () => {
    const platform = usePlatform({ config: { MAIL_CONFIRMATION: 'required' } });
    const user = useUser(platform);
    let call: Call;

    before(async () => {
      call = client(platform.url, user.session);
    });

    /** The response to a call that the library considers successful. */
    const ok = async (method: string, path: string, parameters?: Parameters) => {
      const [bare, query] = path.split('?');
      const response = await call(method, `${bare}${end}${query === undefined ? '' : `?${query}`}`, parameters);
      assert.ok(
        [200, 201, 302].includes(response.status),
        `${method} ${path} ${response.status}: ${JSON.stringify(response.json)}`,
      );
      return response;
    };
    const buildSensor = async (sensor: Parameters = { name: 'thermometer' }) =>
      idIn(await ok('POST', '/sensors', { sensor }));

    it('takes its session from the header of a login, and logs out', async () => {
      const credentials = { username: user.username, password: user.password };
      const login = await client(platform.url)('POST', `/login${end}`, credentials);
      assert.equal(login.status, 200);
      const exposed = String(login.headers['access-control-expose-headers']);
      for (const name of ['X-SESSION_ID', 'Location']) assert.ok(exposed.includes(name));
      const session = String(login.headers['x-session_id']);
      assert.equal(session, login.json.session_id);
      assert.equal((await client(platform.url, session)('POST', `/logout${end}`, {})).status, 200);
      assert.equal((await client(platform.url, session)('GET', `/users/current${end}`)).status, 401);
    });

    it('creates a sensor and reads its address and record', async () => {
      const sensor = { name: 'gyro', display_name: 'Gyro', device_type: 'TX-1000', data_type: 'float' };
      const created = await ok('POST', '/sensors', { sensor });
      assert.equal(idIn(created), created.json.sensor.id);
      const { sensors } = (await ok('GET', '/sensors', { page: 0, per_page: 1000 })).json;
      const found = sensors.find((one: Parameters) => one.id === idIn(created));
      for (const [key, value] of Object.entries(sensor)) assert.equal(found[key], value);
      assert.equal((await ok('GET', `/sensors/${found.id}`)).json.sensor.name, 'gyro');
    });

    it('uploads and reads data', async () => {
      const id = await buildSensor();
      const data = [
        { value: 10, date: 1343055000 },
        { value: { lux: 1 }, date: 1343055001 },
      ];
      await ok('POST', `/sensors/${id}/data`, { data });
      await ok('POST', '/sensors/data', { sensors: [{ sensor_id: id, data: [{ value: 12, date: 1343055002 }] }] });
      const read = (await ok('GET', `/sensors/${id}/data`, { start_date: 1343055000, last: 1 })).json.data;
      assert.deepEqual(
        read.map((point: Parameters) => point.value),
        ['12'],
      );
      const all = (await ok('GET', `/sensors/${id}/data`)).json.data;
      assert.deepEqual(
        all.map((point: Parameters) => point.value),
        ['10', '{"lux":1}', '12'],
      );
    });

    it('places sensors in environments and on devices', async () => {
      const id = await buildSensor();
      const gps_outline = '51.9 4.4,51.9 4.5,52.0 4.5';
      const environment = { name: 'Office', floors: 2, gps_outline, position: '51.9 4.4' };
      const made = idIn(await ok('POST', '/environments', { environment }));
      assert.equal((await ok('GET', `/environments/${made}`)).json.environment.gps_outline, gps_outline);
      await ok('POST', `/environments/${made}/sensors`, { sensors: [{ id }] });
      assert.equal((await ok('GET', `/environments/${made}/sensors`)).json.sensors[0].id, id);
      assert.equal((await ok('GET', `/sensors/${id}/environment`)).json.environment.id, made);
      assert.equal((await ok('GET', '/environments')).json.environments[0].id, made);
      const device = (await ok('POST', `/sensors/${id}/device`, { device: { type: 'phone', uuid: 'a' } })).json.device;
      assert.equal((await ok('GET', `/sensors/${id}/device`)).json.device.id, device.id);
      assert.equal((await ok('GET', `/devices/${device.id}/sensors`)).json.sensors[0].id, id);
    });

    it('creates groups and finds them among all', async () => {
      const id = idIn(await ok('POST', '/groups', { group: { name: 'readers', public: 1 } }));
      for (const path of ['/groups', '/groups/all']) {
        assert.ok((await ok('GET', path)).json.groups.some((group: Parameters) => group.id === id));
      }
      const sensor = await buildSensor();
      await ok('POST', `/groups/${id}/sensors`, { sensors: [{ id: Number(sensor) }] });
      assert.equal((await ok('GET', `/groups/${id}/sensors`, { page: 0 })).json.sensors[0].id, sensor);
      await ok('POST', `/groups/${id}/users`, { users: [{ user: { id: user.id } }] });
      assert.equal((await ok('GET', `/groups/${id}/users`)).json.users[0].id, user.id);
      assert.equal((await ok('GET', `/groups/${id}/users/${user.id}`)).json.user.id, user.id);
    });

    it('runs services and teaches them', async () => {
      const id = await buildSensor({ name: 'motion', data_type: 'float' });
      const everywhere = (await ok('GET', '/sensors/services/available')).json.available_services;
      assert.ok(everywhere.some((one: Parameters) => one.sensor_id === id));
      const available = (await ok('GET', `/sensors/${id}/services/available`)).json.available_services;
      assert.ok(available.some(({ name }: Parameters) => name === 'state_recognition_service'));
      const service = { name: 'state_recognition_service', data_fields: ['value'] };
      const made = (await ok('POST', `/sensors/${id}/services`, { service })).json.service.id;
      assert.equal((await ok('GET', `/sensors/${id}/services`)).json.services[0].id, made);
      const { methods } = (await ok('GET', `/sensors/${id}/services/${made}/methods`)).json;
      assert.ok(methods.some(({ name }: Parameters) => name === 'GetClassLabels'));
      const data = Array.from({ length: 30 }, (_, index) => ({ value: index % 3, date: 1343055000 + index }));
      await ok('POST', `/sensors/${id}/data`, { data });
      const range = { start_date: 1343055000, end_date: 1343055030, class_label: 'rest' };
      assert.equal((await ok('POST', `/sensors/${id}/services/${made}/manualLearn`, range)).json.result, 'ok');
      assert.match((await ok('GET', `/sensors/${id}/services/${made}/GetClassLabels`)).json.result, /rest/);
      await ok('POST', `/sensors/${id}/services/${made}/SetManualInputMode`, { parameters: ['1'] });
    });

    it('labels sensors and finds them', async () => {
      const id = await buildSensor({ name: 'labelled' });
      await ok('POST', `/sensors/${id}/metatags?namespace=house`, { metatags: { room: ['attic'] } });
      assert.deepEqual((await ok('GET', `/sensors/${id}/metatags`, { namespace: 'house' })).json.metatags, {
        room: ['attic'],
      });
      const filter = { metatag_statement_groups: [[{ metatag_name: 'room', operator: 'equal', value: 'attic' }]] };
      const { sensors } = (await ok('POST', '/sensors/find?namespace=house', { filter })).json;
      assert.deepEqual(
        sensors.map((one: Parameters) => one.id),
        [id],
      );
      assert.ok((await ok('GET', '/sensors/metatags', { namespace: 'house' })).json.sensors.length > 0);
    });

    if (client === browserClient) {
      it('may do everything that its preflight requests', async () => {
        const headers = {
          Origin: 'https://dashboard.example.org',
          'Access-Control-Request-Method': 'DELETE',
          'Access-Control-Request-Headers': 'content-type,x-session_id',
        };
        const response = await rawRequest(platform.url, '/sensors/1.json?', { method: 'OPTIONS', headers });
        assert.equal(response.status, 200);
        const allowed = String(response.headers['access-control-allow-headers']).toLowerCase();
        for (const name of ['content-type', 'x-session_id']) assert.ok(allowed.includes(name));
        assert.match(String(response.headers['access-control-allow-methods']), /DELETE/);
      });

      it('changes and deletes', async () => {
        const id = await buildSensor();
        await ok('PUT', `/sensors/${id}`, { sensor: { name: 'other' } });
        await ok('PUT', `/sensors/${id}/metatags?namespace=default`, { metatags: { a: ['b'] } });
        await ok('DELETE', `/sensors/${id}/metatags`, { namespace: 'default' });
        await ok('POST', `/sensors/${id}/data`, { data: { value: 1, date: 1343055000 } });
        const point = (await ok('GET', `/sensors/${id}/data`)).json.data[0].id;
        assert.deepEqual((await ok('DELETE', `/sensors/${id}/data/${point}`)).json, {});
        await ok('POST', `/sensors/${id}/device`, { device: { type: 'phone', uuid: 'b' } });
        await ok('DELETE', `/sensors/${id}/device`);
        await ok('PUT', `/users/${user.id}`, { user: { surname: 'Jones' } });
        assert.deepEqual((await ok('DELETE', `/sensors/${id}`)).json, {});
      });
    }
  });
}
