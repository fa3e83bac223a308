import assert from 'node:assert/strict';
import { type Platform, startPlatform, type TestUser } from '../support/platform';
import { feedService } from '../support/services';

describe('services of sensors', () => {
  let platform: Platform;
  let user: TestUser;
  let stranger: TestUser;

  before(async () => {
    platform = await startPlatform();
    [user, stranger] = [await platform.user(), await platform.user()];
  });
  after(() => platform.close());

  const sensorOf = async ({ api }: TestUser, fields: Record<string, unknown> = {}): Promise<string> =>
    (await api.post('/sensors', { sensor: { name: 'door', ...fields } })).body.sensor.id;
  const share = (sensorId: string, { id }: TestUser) =>
    platform.query('INSERT IGNORE INTO sensor_users VALUES (?, ?, 0)', [sensorId, id]);
  const namesOf = (services: { name: string }[]) => services.map(({ name }) => name).sort();

  describe('what is available', () => {
    it('depends on the data type of a plain sensor', async () => {
      const [number, text] = [await sensorOf(user), await sensorOf(user, { data_type: 'string' })];
      const forNumber = (await user.api.get(`/sensors/${number}/services/available`)).body.available_services;
      const forText = (await user.api.get(`/sensors/${text}/services/available`)).body.available_services;
      assert.ok(namesOf(forNumber).includes('math_service') && namesOf(forNumber).includes('statistics_service'));
      assert.deepEqual(namesOf(forText), ['foreground_app_filter']);
    });

    it('depends on the fields of a JSON sensor, and names them', async () => {
      const id = await sensorOf(user, { data_type: 'json', data_structure: { lux: 'integer', room: 'string' } });
      const { available_services: services } = (await user.api.get(`/sensors/${id}/services/available`)).body;
      const fields = Object.fromEntries(
        services.map(({ name, data_fields }: { name: string; data_fields: string[] }) => [name, data_fields]),
      );
      assert.deepEqual(fields.statistics_service, ['lux']);
      assert.deepEqual(fields.foreground_app_filter, ['room']);
    });

    it('is listed for all visible sensors in pages, always with the total', async () => {
      const owner = await platform.user();
      for (let count = 0; count < 3; count += 1) await sensorOf(owner);
      const { status, body } = await owner.api.get('/sensors/services/available?page=1&per_page=2');
      assert.equal(status, 200);
      assert.equal(body.total, 3);
      assert.equal(body.available_services.length, 1);
      assert.ok(namesOf(body.available_services[0].services).includes('math_service'));
    });

    it('is nobody else’s business', async () => {
      const id = await sensorOf(user);
      assert.equal((await stranger.api.get(`/sensors/${id}/services/available`)).status, 404);
    });
  });

  describe('connecting', () => {
    it('makes a virtual sensor, whose id is the service’s', async () => {
      const id = await sensorOf(user);
      const answer = await user.api.post(`/sensors/${id}/services`, {
        service: { name: 'statistics_service' },
        sensor: { name: 'mean', device_type: 'statistics' },
      });
      assert.equal(answer.status, 201);
      const { service } = answer.body;
      assert.deepEqual(service, { id: service.id, name: 'statistics_service', data_fields: ['value'] });
      assert.match(String(answer.headers.get('location')), new RegExp(`/${service.id}$`));
      const { sensor } = (await user.api.get(`/sensors/${service.id}`)).body;
      assert.equal(sensor.name, 'mean');
      assert.equal(sensor.device_type, 'statistics');
      assert.equal(sensor.type, '2');
      assert.deepEqual(Object.keys(JSON.parse(sensor.data_structure)), ['mean', 'min', 'max', 'deviation', 'count']);
      assert.deepEqual((await user.api.get(`/sensors/${id}/services`)).body.services, [service]);
    });

    it('lists the running services in pages', async () => {
      const { sensorId, serviceId } = await feedService(user, 'statistics_service');
      const second = await user.api.post(`/sensors/${sensorId}/services`, { service: { name: 'math_service' } });
      const ids = ({ services }: { services: { id: string }[] }) => services.map(({ id }) => id);
      const path = `/sensors/${sensorId}/services`;
      assert.deepEqual(ids((await user.api.get(path)).body), [serviceId, second.body.service.id]);
      const page = await user.api.get(`${path}?page=1&per_page=1&total=1`);
      assert.deepEqual([ids(page.body), page.body.total], [[second.body.service.id], 2]);
      assert.equal((await user.api.get(`${path}?page=-1`)).status, 400);
    });

    it('joins a running service by its id, again and again without harm', async () => {
      const { serviceId } = await feedService(user, 'math_service');
      const second = await feedService(user, { id: serviceId });
      assert.equal(second.serviceId, serviceId);
      const again = await user.api.post(`/sensors/${second.sensorId}/services`, { service: { id: serviceId } });
      assert.equal(again.status, 201);
      const rows = await platform.query('SELECT * FROM service_inputs WHERE service_id = ?', [serviceId]);
      assert.equal((rows as unknown[]).length, 2);
    });

    it('accepts fields that a plain sensor cannot have, and refuses those that a JSON sensor has not', async () => {
      const plain = await sensorOf(user);
      const json = await sensorOf(user, { data_type: 'json', data_structure: { lux: 'integer' } });
      const service = { name: 'statistics_service', data_fields: ['x-axis'] };
      assert.equal((await user.api.post(`/sensors/${plain}/services`, { service })).status, 201);
      const refused = await user.api.post(`/sensors/${json}/services`, { service });
      assert.equal(refused.status, 400);
      assert.match(refused.body.fields['service.data_fields'], /x-axis/);
    });

    it('refuses unknown names, other names for a running service, and values that it cannot use', async () => {
      const { serviceId } = await feedService(user, 'math_service');
      const [id, text] = [await sensorOf(user), await sensorOf(user, { data_type: 'string' })];
      const post = (sensor: string, service: object) => user.api.post(`/sensors/${sensor}/services`, { service });
      assert.equal((await post(id, { name: 'no_service' })).status, 400);
      assert.equal((await post(id, {})).status, 400);
      assert.equal((await post(id, { id: serviceId, name: 'statistics_service' })).status, 409);
      assert.equal((await post(text, { name: 'math_service' })).status, 400);
    });

    it('needs a sensor that one sees and a service of one’s own', async () => {
      const { serviceId, sensorId } = await feedService(user, 'math_service');
      const theirs = await sensorOf(stranger);
      const post = (sensor: string, service: object) => stranger.api.post(`/sensors/${sensor}/services`, { service });
      assert.equal((await post(sensorId, { name: 'math_service' })).status, 404);
      for (const id of [serviceId, '999999999']) {
        const unknown = await post(theirs, { id });
        assert.deepEqual([unknown.status, unknown.body.error], [404, 'the service does not exist']);
      }
      await share(serviceId, stranger);
      assert.equal((await post(theirs, { id: serviceId })).status, 403);
      await share(sensorId, stranger);
      assert.equal((await post(sensorId, { name: 'math_service' })).status, 201);
    });

    it('refuses circles, direct ones and through others', async () => {
      const first = await feedService(user, 'math_service');
      const second = (
        await user.api.post(`/sensors/${first.serviceId}/services`, { service: { name: 'math_service' } })
      ).body.service;
      const itself = await user.api.post(`/sensors/${first.serviceId}/services`, { service: { id: first.serviceId } });
      assert.equal(itself.status, 409);
      const around = await user.api.post(`/sensors/${second.id}/services`, { service: { id: first.serviceId } });
      assert.equal(around.status, 409);
      assert.equal(around.body.code, 'cycle');
    });

    it('lets only one of two connections pass that would close a circle together', async () => {
      const [a, b] = [await feedService(user, 'math_service'), await feedService(user, 'math_service')];
      const statuses = await Promise.all([
        user.api.post(`/sensors/${a.serviceId}/services`, { service: { id: b.serviceId } }),
        user.api.post(`/sensors/${b.serviceId}/services`, { service: { id: a.serviceId } }),
      ]);
      assert.deepEqual(statuses.map(({ status }) => status).sort(), [201, 409]);
    });
  });

  describe('disconnecting', () => {
    it('ends the service with its last sensor; the virtual sensor stays as a plain one', async () => {
      const { sensorId, serviceId } = await feedService(user, 'math_service');
      const other = await feedService(user, { id: serviceId });
      assert.equal((await user.api.delete(`/sensors/${sensorId}/services/${serviceId}`)).status, 200);
      assert.equal((await user.api.delete(`/sensors/${sensorId}/services/${serviceId}`)).status, 404);
      assert.equal((await user.api.get(`/sensors/${other.sensorId}/services/${serviceId}/methods`)).status, 200);
      assert.equal((await user.api.delete(`/sensors/${other.sensorId}/services/${serviceId}`)).status, 200);
      assert.equal((await user.api.get(`/sensors/${other.sensorId}/services/${serviceId}/methods`)).status, 404);
      assert.equal((await user.api.get(`/sensors/${serviceId}`)).body.sensor.type, '0');
    });

    it('is for the owner of the service or of the sensor', async () => {
      const lent = await sensorOf(user);
      await share(lent, stranger);
      const { body } = await stranger.api.post(`/sensors/${lent}/services`, { service: { name: 'math_service' } });
      const third = await platform.user();
      await share(lent, third);
      assert.equal((await third.api.delete(`/sensors/${lent}/services/${body.service.id}`)).status, 404);
      await share(body.service.id, third);
      assert.equal((await third.api.delete(`/sensors/${lent}/services/${body.service.id}`)).status, 403);
      assert.equal((await user.api.delete(`/sensors/${lent}/services/${body.service.id}`)).status, 200);
    });
  });

  describe('methods', () => {
    it('are listed, set and read', async () => {
      const { sensorId, serviceId } = await feedService(user, 'statistics_service');
      const path = `/sensors/${sensorId}/services/${serviceId}`;
      assert.deepEqual((await user.api.get(`${path}/methods`)).body.methods, [
        { name: 'SetWindow', parameters: ['size', 'unit'], 'return value': '' },
        { name: 'GetWindow', parameters: [], 'return value': 'string' },
      ]);
      const set = await user.api.post(`${path}/SetWindow`, { parameters: ['60', 'seconds'] });
      assert.deepEqual([set.status, set.body], [200, { result: 'ok' }]);
      assert.deepEqual((await user.api.get(`${path}/GetWindow`)).body, { result: '["60","seconds"]' });
    });

    it('take their number of parameters, and say what is wrong with one', async () => {
      const { sensorId, serviceId } = await feedService(user, 'math_service');
      const path = `/sensors/${sensorId}/services/${serviceId}`;
      assert.equal((await user.api.post(`${path}/SetExpression`, { parameters: [] })).status, 400);
      assert.equal((await user.api.post(`${path}/SetExpression`, { parameters: ['1', '2'] })).status, 400);
      const bad = await user.api.post(`${path}/SetExpression`, { parameters: [`_${sensorId}_input + `] });
      assert.equal(bad.status, 400);
      assert.match(bad.body.fields.parameters, /^cannot be used: .* at position \d+$/);
      const fine = await user.api.post(`${path}/SetExpression`, { parameters: [`_${sensorId}_input * 2`] });
      assert.equal(fine.status, 200);
    });

    it('take together what fits into 65,535 bytes, and name what does not', async () => {
      const { sensorId, serviceId } = await feedService(user, 'foreground_app_filter', { data_type: 'string' });
      const path = `/sensors/${sensorId}/services/${serviceId}`;
      const frame = JSON.stringify({ filter: Array(33).fill('') }).length;
      const values = [...Array(32).fill('ü'.repeat(1_000)), 'x'.repeat(65_535 - frame - 64_000)];
      assert.equal((await user.api.post(`${path}/SetFilter`, { parameters: values })).status, 200);
      const longer = [...values.slice(0, -1), `${values.at(-1)}x`];
      const refused = await user.api.post(`${path}/SetFilter`, { parameters: longer });
      assert.equal(refused.status, 400, JSON.stringify(refused.body));
      assert.match(refused.body.fields.parameters, /at most 65535 bytes/);
      assert.equal((await user.api.get(`${path}/GetFilter`)).body.result, JSON.stringify(values));
    });

    it('that do not exist are not found, nor is setting by reading', async () => {
      const { sensorId, serviceId } = await feedService(user, 'math_service');
      const path = `/sensors/${sensorId}/services/${serviceId}`;
      assert.equal((await user.api.get(`${path}/GetNothing`)).status, 404);
      assert.equal((await user.api.get(`${path}/SetExpression`)).status, 404);
      assert.equal((await user.api.post(`${path}/GetExpression`, { parameters: [] })).status, 404);
      assert.equal((await user.api.post(`${path}/constructor`, { parameters: [] })).status, 404);
    });

    it('are read by who sees the virtual sensor, and set by its owner', async () => {
      const { sensorId, serviceId } = await feedService(user, 'math_service');
      const path = `/sensors/${sensorId}/services/${serviceId}`;
      assert.equal((await stranger.api.get(`${path}/GetExpression`)).status, 404);
      await share(sensorId, stranger);
      assert.equal((await stranger.api.get(`${path}/GetExpression`)).status, 404);
      await share(serviceId, stranger);
      assert.equal((await stranger.api.get(`${path}/GetExpression`)).status, 200);
      assert.equal((await stranger.api.post(`${path}/SetExpression`, { parameters: ['1'] })).status, 403);
    });
  });
});
