import assert from 'node:assert/strict';
import { buildSensor, buildService, share } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { feedService } from '../../support/services';

describe('services of sensors', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  const stranger = useUser(platform);

  const namesOf = (services: { name: string }[]) => services.map(({ name }) => name).sort();

  describe('that are available', () => {
    it('depend on the data type of a plain sensor', async () => {
      const [number, text] = [await buildSensor(user), await buildSensor(user, { data_type: 'string' })];
      const forNumber = (await user.api.get(`/sensors/${number}/services/available`)).body.available_services;
      const forText = (await user.api.get(`/sensors/${text}/services/available`)).body.available_services;
      assert.ok(namesOf(forNumber).includes('math_service') && namesOf(forNumber).includes('statistics_service'));
      assert.deepEqual(namesOf(forText), ['fleet_service', 'foreground_app_filter']);
    });

    it('depend on the fields of a JSON sensor and name them', async () => {
      const id = await buildSensor(user, { data_type: 'json', data_structure: { lux: 'integer', room: 'string' } });
      const { available_services: services, ...others } = (await user.api.get(`/sensors/${id}/services/available`))
        .body;
      assert.deepEqual(others, { services }, 'the same list by the name that an old client reads');
      const fields = Object.fromEntries(
        services.map(({ name, data_fields }: { name: string; data_fields: string[] }) => [name, data_fields]),
      );
      assert.deepEqual(fields.statistics_service, ['lux']);
      assert.deepEqual(fields.foreground_app_filter, ['room']);
    });

    it('are listed for all visible sensors page by page, always with the total', async () => {
      const owner = await platform.user();
      for (let count = 0; count < 3; count += 1) await buildSensor(owner);
      const { status, body } = await owner.api.get('/sensors/services/available?page=1&per_page=2');
      assert.equal(status, 200);
      assert.equal(body.total, 3);
      assert.equal(body.available_services.length, 1);
      assert.ok(namesOf(body.available_services[0].services).includes('math_service'));
    });

    it('are invisible to other users', async () => {
      const id = await buildSensor(user);
      assert.equal((await stranger.api.get(`/sensors/${id}/services/available`)).status, 404);
    });
  });

  describe('when they are connected', () => {
    it('get a virtual sensor with their own id', async () => {
      const id = await buildSensor(user);
      const response = await user.api.post(`/sensors/${id}/services`, {
        service: { name: 'statistics_service' },
        sensor: { name: 'mean', device_type: 'statistics' },
      });
      assert.equal(response.status, 201);
      const { service } = response.body;
      assert.deepEqual(service, { id: service.id, name: 'statistics_service', data_fields: ['value'] });
      assert.match(String(response.headers.get('location')), new RegExp(`/${service.id}$`));
      const { sensor } = (await user.api.get(`/sensors/${service.id}`)).body;
      assert.equal(sensor.name, 'mean');
      assert.equal(sensor.device_type, 'statistics');
      assert.equal(sensor.type, '2');
      assert.deepEqual(Object.keys(JSON.parse(sensor.data_structure)), ['mean', 'min', 'max', 'deviation', 'count']);
      assert.deepEqual((await user.api.get(`/sensors/${id}/services`)).body.services, [service]);
    });

    it('are listed page by page', async () => {
      const { sensorId, serviceId } = await feedService(user, 'statistics_service');
      const secondId = await buildService(user, 'math_service', sensorId);
      const ids = ({ services }: { services: { id: string }[] }) => services.map(({ id }) => id);
      const path = `/sensors/${sensorId}/services`;
      assert.deepEqual(ids((await user.api.get(path)).body), [serviceId, secondId]);
      const page = await user.api.get(`${path}?page=1&per_page=1&total=1`);
      assert.deepEqual([ids(page.body), page.body.total], [[secondId], 2]);
      assert.equal((await user.api.get(`${path}?page=-1`)).status, 400);
    });

    it('accept further sensors by their id, repeatedly without harm', async () => {
      const { serviceId } = await feedService(user, 'math_service');
      const second = await feedService(user, { id: serviceId });
      assert.equal(second.serviceId, serviceId);
      const again = await user.api.post(`/sensors/${second.sensorId}/services`, { service: { id: serviceId } });
      assert.equal(again.status, 201);
      const rows = await platform.query('SELECT * FROM service_inputs WHERE service_id = ?', [serviceId]);
      assert.equal((rows as unknown[]).length, 2);
    });

    it('accept fields that a plain sensor cannot have, and refuse those that a JSON sensor lacks', async () => {
      const plain = await buildSensor(user);
      const json = await buildSensor(user, { data_type: 'json', data_structure: { lux: 'integer' } });
      const service = { name: 'statistics_service', data_fields: ['x-axis'] };
      assert.equal((await user.api.post(`/sensors/${plain}/services`, { service })).status, 201);
      const refused = await user.api.post(`/sensors/${json}/services`, { service });
      assert.equal(refused.status, 400);
      assert.match(refused.body.fields['service.data_fields'], /x-axis/);
    });

    it('refuse unknown names, other names for a running service, and sensors whose values they cannot use', async () => {
      const { serviceId } = await feedService(user, 'math_service');
      const [id, text] = [await buildSensor(user), await buildSensor(user, { data_type: 'string' })];
      const post = (sensor: string, service: object) => user.api.post(`/sensors/${sensor}/services`, { service });
      assert.equal((await post(id, { name: 'no_service' })).status, 400);
      assert.equal((await post(id, {})).status, 400);
      assert.equal((await post(id, { id: serviceId, name: 'statistics_service' })).status, 409);
      assert.equal((await post(text, { name: 'math_service' })).status, 400);
    });

    it('require a visible sensor and a service that the user owns', async () => {
      const { serviceId, sensorId } = await feedService(user, 'math_service');
      const theirs = await buildSensor(stranger);
      const post = (sensor: string, service: object) => stranger.api.post(`/sensors/${sensor}/services`, { service });
      assert.equal((await post(sensorId, { name: 'math_service' })).status, 404);
      for (const id of [serviceId, '999999999']) {
        const unknown = await post(theirs, { id });
        assert.deepEqual([unknown.status, unknown.body.error], [404, 'the service does not exist']);
      }
      await share(user, serviceId, stranger);
      assert.equal((await post(theirs, { id: serviceId })).status, 403);
      await share(user, sensorId, stranger);
      assert.equal((await post(sensorId, { name: 'math_service' })).status, 201);
    });

    it('refuse direct and indirect cycles', async () => {
      const first = await feedService(user, 'math_service');
      const secondId = await buildService(user, 'math_service', first.serviceId);
      const itself = await user.api.post(`/sensors/${first.serviceId}/services`, { service: { id: first.serviceId } });
      assert.equal(itself.status, 409);
      const around = await user.api.post(`/sensors/${secondId}/services`, { service: { id: first.serviceId } });
      assert.equal(around.status, 409);
      assert.equal(around.body.code, 'cycle');
    });

    it('refuse one of two simultaneous connections that would form a cycle', async () => {
      const [a, b] = [await feedService(user, 'math_service'), await feedService(user, 'math_service')];
      const statuses = await Promise.all([
        user.api.post(`/sensors/${a.serviceId}/services`, { service: { id: b.serviceId } }),
        user.api.post(`/sensors/${b.serviceId}/services`, { service: { id: a.serviceId } }),
      ]);
      assert.deepEqual(statuses.map(({ status }) => status).sort(), [201, 409]);
    });
  });

  describe('when they are disconnected', () => {
    it('end with their last sensor, and the virtual sensor becomes a plain one', async () => {
      const { sensorId, serviceId } = await feedService(user, 'math_service');
      const other = await feedService(user, { id: serviceId });
      assert.equal((await user.api.delete(`/sensors/${sensorId}/services/${serviceId}`)).status, 200);
      assert.equal((await user.api.delete(`/sensors/${sensorId}/services/${serviceId}`)).status, 404);
      assert.equal((await user.api.get(`/sensors/${other.sensorId}/services/${serviceId}/methods`)).status, 200);
      assert.equal((await user.api.delete(`/sensors/${other.sensorId}/services/${serviceId}`)).status, 200);
      assert.equal((await user.api.get(`/sensors/${other.sensorId}/services/${serviceId}/methods`)).status, 404);
      assert.equal((await user.api.get(`/sensors/${serviceId}`)).body.sensor.type, '0');
    });

    it('must belong to the user, or their sensor must', async () => {
      const lent = await buildSensor(user);
      await share(user, lent, stranger);
      const serviceId = await buildService(stranger, 'math_service', lent);
      const third = await platform.user();
      await share(user, lent, third);
      assert.equal((await third.api.delete(`/sensors/${lent}/services/${serviceId}`)).status, 404);
      await share(stranger, serviceId, third);
      assert.equal((await third.api.delete(`/sensors/${lent}/services/${serviceId}`)).status, 403);
      assert.equal((await user.api.delete(`/sensors/${lent}/services/${serviceId}`)).status, 200);
    });
  });

  describe('have methods that', () => {
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

    it('require their number of parameters and explain an invalid one', async () => {
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

    it('accept parameters of 65,535 bytes in total', async () => {
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

    it('are not found when they do not exist or when a set method is read', async () => {
      const { sensorId, serviceId } = await feedService(user, 'math_service');
      const path = `/sensors/${sensorId}/services/${serviceId}`;
      assert.equal((await user.api.get(`${path}/GetNothing`)).status, 404);
      assert.equal((await user.api.get(`${path}/SetExpression`)).status, 404);
      assert.equal((await user.api.post(`${path}/GetExpression`, { parameters: [] })).status, 404);
      assert.equal((await user.api.post(`${path}/constructor`, { parameters: [] })).status, 404);
    });

    it('are readable by users to whom the virtual sensor is visible, and set only by its owner', async () => {
      const { sensorId, serviceId } = await feedService(user, 'math_service');
      const path = `/sensors/${sensorId}/services/${serviceId}`;
      assert.equal((await stranger.api.get(`${path}/GetExpression`)).status, 404);
      await share(user, sensorId, stranger);
      assert.equal((await stranger.api.get(`${path}/GetExpression`)).status, 404);
      await share(user, serviceId, stranger);
      assert.equal((await stranger.api.get(`${path}/GetExpression`)).status, 200);
      assert.equal((await stranger.api.post(`${path}/SetExpression`, { parameters: ['1'] })).status, 403);
    });
  });
});
