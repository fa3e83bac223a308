import assert from 'node:assert/strict';
import { type Platform, startPlatform, type TestUser } from '../support/platform';
import { AXES, makeSensor, makeService, runMethod, type TestService } from '../support/recognition';

const T0 = 1_795_229_500;
const NOTHING_WAITS = { waiting: 0, points: 0, read: 0, percent: 100, error: null };

describe('long ranges that wait to be learnt', () => {
  let platform: Platform;
  let user: TestUser;
  let stranger: TestUser;
  let sensorId: string;
  let service: TestService;

  before(async () => {
    platform = await startPlatform();
    [user, stranger] = [await platform.user(), await platform.user()];
    sensorId = await makeSensor(user, 'words');
    const rows = Array.from({ length: 20_001 }, (_, at) => [sensorId, T0 * 1000 + at, 'hello', T0 * 1000]);
    await platform.query('INSERT INTO data_points (sensor_id, date_ms, value, received_ms) VALUES ?', [rows]);
  });
  after(() => platform.close());
  beforeEach(async () => {
    service = await makeService(user, 'state_recognition_service', [sensorId]);
  });

  const path = () => `/sensors/${sensorId}/services/${service.id}`;
  const learn = (by = user, changes: object = {}) =>
    by.api.post(`${path()}/manualLearn`, { start_date: T0, end_date: T0 + 60, class_label: 'a', ...changes });
  const progress = async () => JSON.parse((await runMethod(user, service, 'GetLearningProgress')).result);

  it('are seen by those who see the service alone', async () => {
    assert.equal((await learn(stranger)).status, 404);
    assert.deepEqual(await progress(), NOTHING_WAITS);
    assert.equal((await learn()).status, 200);
    assert.deepEqual(await progress(), { waiting: 1, points: 20_001, read: 0, percent: 0, error: null });
    assert.equal((await stranger.api.get(`${path()}/GetLearningProgress`)).status, 404);
    const { methods } = (await user.api.get(`${path()}/methods`)).body;
    const listed = methods.find(({ name }: { name: string }) => name === 'GetLearningProgress');
    assert.deepEqual(listed, { name: 'GetLearningProgress', parameters: [], 'return value': 'object' });
  });

  it('say why they were not learnt, until the next is asked for', async () => {
    await learn();
    await platform.settle();
    const { error, ...rest } = await progress();
    assert.match(error, /no data in this range that it can learn/);
    assert.deepEqual({ ...rest, error: null }, NOTHING_WAITS);
    await learn();
    assert.equal((await progress()).error, null);
  });

  it('are refused when twenty wait, and when their label would be one too many', async () => {
    const answers = await Promise.all(Array.from({ length: 22 }, () => learn()));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array.from({ length: 20 }, () => 200), 409, 409]);
    assert.equal((await progress()).waiting, 20);
    assert.equal((await runMethod(user, service, 'ForgetClassLabel', 'a')).result, 'ok');
    assert.deepEqual(await progress(), NOTHING_WAITS);
    const examples = Array.from({ length: 50 }, (_, at) => [service.id, `label ${at}`, at, at + 1, '{}']);
    await platform.query('INSERT INTO service_examples (service_id, label, start_ms, end_ms, features) VALUES ?', [
      examples,
    ]);
    assert.equal((await learn()).status, 409);
    assert.equal((await learn(user, { class_label: 'label 7' })).status, 200);
  });

  it('keep the length of the windows', async () => {
    await learn();
    const answer = await user.api.post(`${path()}/SetWindow`, { parameters: ['5'] });
    assert.equal(answer.status, 400, JSON.stringify(answer.body));
    await platform.settle();
    assert.equal((await runMethod(user, service, 'SetWindow', '5')).result, 'ok');
  });

  it('are known of services for poses too', async () => {
    const phone = await makeSensor(user, 'phone', AXES);
    service = await makeService(user, 'pose_prediction_service', [phone]);
    assert.deepEqual(await progress(), NOTHING_WAITS);
  });
});
