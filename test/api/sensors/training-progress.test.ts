import assert from 'node:assert/strict';
import { buildSensor } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { buildLearningService, buildPhone, type LearningService, runMethod } from '../../support/recognition';

const T0 = 1_795_229_500;
const NO_JOBS = { waiting: 0, points: 0, read: 0, percent: 100, error: null };

describe('pending training jobs', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  const stranger = useUser(platform);
  let sensorId: string;
  let service: LearningService;

  before(async () => {
    sensorId = await buildSensor(user);
    const rows = Array.from({ length: 20_001 }, (_, at) => [sensorId, T0 * 1000 + at, 'hello', 1]);
    await platform.query('INSERT INTO data_points (sensor_id, date_ms, value, delay_s) VALUES ?', [rows]);
  });
  beforeEach(async () => {
    service = await buildLearningService(user, [sensorId]);
  });

  const path = () => `/sensors/${sensorId}/services/${service.id}`;
  const learn = (by = user, changes: object = {}) =>
    by.api.post(`${path()}/manualLearn`, { start_date: T0, end_date: T0 + 60, class_label: 'a', ...changes });
  const progress = async () => JSON.parse((await runMethod(user, service, 'GetLearningProgress')).result);

  it('are visible only to users to whom the service is visible', async () => {
    assert.equal((await learn(stranger)).status, 404);
    assert.deepEqual(await progress(), NO_JOBS);
    assert.equal((await learn()).status, 200);
    assert.deepEqual(await progress(), { waiting: 1, points: 20_001, read: 0, percent: 0, error: null });
    assert.equal((await stranger.api.get(`${path()}/GetLearningProgress`)).status, 404);
    const { methods } = (await user.api.get(`${path()}/methods`)).body;
    const listed = methods.find(({ name }: { name: string }) => name === 'GetLearningProgress');
    assert.deepEqual(listed, { name: 'GetLearningProgress', parameters: [], 'return value': 'object' });
  });

  it('report why they failed until the next one is requested', async () => {
    await learn();
    await platform.settle();
    const { error, ...rest } = await progress();
    assert.match(error, /no data in this range that it can learn/);
    assert.deepEqual({ ...rest, error: null }, NO_JOBS);
    await learn();
    assert.equal((await progress()).error, null);
  });

  it('are limited to twenty, and refused when their label would be one too many', async () => {
    const responses = await Promise.all(Array.from({ length: 22 }, () => learn()));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [
      ...Array.from({ length: 20 }, () => 200),
      409,
      409,
    ]);
    assert.equal((await progress()).waiting, 20);
    assert.equal((await runMethod(user, service, 'ForgetClassLabel', 'a')).result, 'ok');
    assert.deepEqual(await progress(), NO_JOBS);
    const examples = Array.from({ length: 50 }, (_, at) => [service.id, `label ${at}`, at, at + 1, '{}']);
    await platform.query('INSERT INTO service_examples (service_id, label, start_ms, end_ms, features) VALUES ?', [
      examples,
    ]);
    assert.equal((await learn()).status, 409);
    assert.equal((await learn(user, { class_label: 'label 7' })).status, 200);
  });

  it('prevent a change of the window length', async () => {
    await learn();
    const response = await user.api.post(`${path()}/SetWindow`, { parameters: ['5'] });
    assert.equal(response.status, 400, JSON.stringify(response.body));
    await platform.settle();
    assert.equal((await runMethod(user, service, 'SetWindow', '5')).result, 'ok');
  });

  it('are also reported by services for poses', async () => {
    const phone = await buildPhone(user);
    service = await buildLearningService(user, [phone], 'pose_prediction_service');
    assert.deepEqual(await progress(), NO_JOBS);
  });
});
