import assert from 'node:assert/strict';
import { buildSensor, upload } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { buildLearningService, type LearningService } from '../../support/recognition';

const T0 = 1_795_229_500;

describe('POST /sensors/{id}/services/{service_id}/manualLearn', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  const stranger = useUser(platform);
  let service: LearningService;

  beforeEach(async () => {
    const sensorIds = [await buildSensor(user), await buildSensor(user)];
    service = await buildLearningService(user, sensorIds);
    for (const sensorId of sensorIds) {
      await upload(
        user,
        sensorId,
        Array.from({ length: 60 }, (_, second) => ({ value: second % 7, date: T0 + second })),
      );
    }
  });

  const pathOf = ({ id, sensorIds }: LearningService) => `/sensors/${sensorIds[0]}/services/${id}/manualLearn`;
  const learn = (body: object, by = user) => by.api.post(pathOf(service), body);
  const range = { start_date: T0, end_date: T0 + 59, class_label: 'working' };
  const learnt = async () => {
    const rows = await platform.query(
      'SELECT label, COUNT(*) AS windows FROM service_examples WHERE service_id = ? GROUP BY label ORDER BY label',
      [service.id],
    );
    return Object.fromEntries(rows.map(({ label, windows }) => [label, Number(windows)]));
  };
  const modelLabels = async () => {
    const rows = await platform.query('SELECT model FROM services WHERE id = ?', [service.id]);
    return JSON.parse(rows[0]?.model ?? 'null')?.labels;
  };

  it('learns the points of all sensors of the service in the range, including both ends', async () => {
    const { status, body } = await learn(range);
    assert.equal(status, 200);
    assert.deepEqual(body, { result: 'ok', points: 120 });
    assert.deepEqual(await learnt(), { working: 6 });
    assert.deepEqual(await modelLabels(), ['working']);
    assert.equal((await learn({ ...range, end_date: T0 + 9 })).body.points, 20);
  });

  it('accepts a form, and parameters in the query', async () => {
    const form = new URLSearchParams({ start_date: String(T0), end_date: `${T0 + 9.5}`, class_label: 'at home' });
    const headers = { 'X-SESSION_ID': user.session };
    const asForm = await fetch(`${platform.url}${pathOf(service)}`, { method: 'POST', headers, body: form });
    assert.deepEqual([asForm.status, await asForm.json()], [200, { result: 'ok', points: 20 }]);
    const inQuery = await user.api.post(
      `${pathOf(service)}.json?start_date=1.7952295E9&end_date=${T0 + 29}&class_label=outside`,
    );
    assert.deepEqual([inQuery.status, inQuery.body.points], [200, 60]);
  });

  it('replaces what was learnt from the same range before', async () => {
    await learn(range);
    assert.equal(
      (await learn({ ...range, start_date: T0 + 20, end_date: T0 + 40, class_label: 'eating' })).status,
      200,
    );
    // The windows of the first part end at 20, the remaining ones after the range begin at 40.
    assert.deepEqual(await learnt(), { eating: 2, working: 4 });
    assert.deepEqual(await modelLabels(), ['eating', 'working']);
    await learn({ ...range, class_label: 'eating' });
    assert.deepEqual(await learnt(), { eating: 6 });
  });

  it('keeps ranges that end where another begins', async () => {
    await learn({ ...range, end_date: T0 + 20, class_label: 'a' });
    await learn({ ...range, start_date: T0 + 20, end_date: T0 + 40, class_label: 'b' });
    await learn({ ...range, start_date: T0 + 40, class_label: 'c' });
    assert.deepEqual(await learnt(), { a: 2, b: 2, c: 2 });
  });

  it('loses nothing when ranges are learnt at the same time', async () => {
    const responses = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((at) =>
        learn({ start_date: T0 + at * 10, end_date: T0 + at * 10 + 9, class_label: `state ${at}` }),
      ),
    );
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
    assert.equal((await modelLabels()).length, 6);
  });

  it('distinguishes labels by case and trims spaces', async () => {
    await learn({ ...range, end_date: T0 + 9, class_label: '  Working ' });
    await learn({ ...range, start_date: T0 + 10, end_date: T0 + 19 });
    assert.deepEqual(await modelLabels(), ['Working', 'working']);
  });

  for (const [what, changes, field] of [
    ['an end before the start', { end_date: T0 - 1 }, 'end_date'],
    ['a range without data', { start_date: 5, end_date: 9 }, 'start_date'],
    ['no start', { start_date: undefined }, 'start_date'],
    ['no end', { end_date: '' }, 'end_date'],
    ['no label', { class_label: undefined }, 'class_label'],
    ['an empty label', { class_label: '' }, 'class_label'],
    ['a label of spaces', { class_label: '   ' }, 'class_label'],
    ['a label that is too long', { class_label: 'ß'.repeat(256) }, 'class_label'],
    ['a start that is no number', { start_date: 'yesterday' }, 'start_date'],
    ['a start before 1970', { start_date: -1 }, 'start_date'],
    ['an end in milliseconds', { end_date: T0 * 1e6 }, 'end_date'],
    ['a label that is not a string', { class_label: { a: 1 } }, 'class_label'],
  ] as const) {
    it(`refuses ${what} by the name of the field`, async () => {
      const { status, body } = await learn({ ...range, ...changes });
      assert.equal(status, 400, JSON.stringify(body));
      assert.ok(field in body.fields, JSON.stringify(body));
      assert.deepEqual(await learnt(), {});
    });
  }

  it('learns a label of the maximum length and any characters', async () => {
    const label = '🚶'.repeat(255);
    assert.equal((await learn({ ...range, class_label: label })).status, 200);
    assert.deepEqual(await modelLabels(), [label]);
  });

  it('refuses a range that contains only text', async () => {
    const sensorId = await buildSensor(user);
    service = await buildLearningService(user, [sensorId]);
    await upload(user, sensorId, [{ value: 'hello', date: T0 }]);
    const { status, body } = await learn(range);
    assert.equal(status, 400);
    assert.deepEqual(Object.keys(body.fields), ['start_date', 'end_date']);
  });

  it('does not exist for services that do not learn', async () => {
    service = await buildLearningService(user, service.sensorIds, 'math_service');
    assert.equal((await learn(range)).status, 404);
  });

  it('requires a sensor that feeds the service', async () => {
    const other = await buildSensor(user);
    assert.equal((await user.api.post(`/sensors/${other}/services/${service.id}/manualLearn`, range)).status, 404);
    const unknown = `/sensors/${service.sensorIds[0]}/services/999999/manualLearn`;
    assert.equal((await user.api.post(unknown, range)).status, 404);
    assert.equal((await user.api.post(`/sensors/x/services/${service.id}/manualLearn`, range)).status, 404);
  });

  it('is allowed only for the owner of the service', async () => {
    assert.equal((await learn(range, stranger)).status, 404);
    const share = (id: string) =>
      platform.query('INSERT INTO sensor_users (sensor_id, user_id, created_ms) VALUES (?, ?, 0)', [id, stranger.id]);
    await share(service.sensorIds[0] ?? '');
    assert.equal((await learn(range, stranger)).status, 404);
    await share(service.id);
    assert.equal((await learn(range, stranger)).status, 403);
    assert.equal((await platform.anonymous.post(pathOf(service), range)).status, 401);
    assert.deepEqual(await learnt(), {});
  });

  it('learns nothing from a sensor that is no longer shared', async () => {
    const foreign = await buildSensor(stranger);
    await upload(stranger, foreign, [{ value: 1, date: T0 }]);
    const { pool } = platform.container.database;
    await pool.query('INSERT INTO sensor_users (sensor_id, user_id, created_ms) VALUES (?, ?, 0)', [foreign, user.id]);
    service = await buildLearningService(user, [...service.sensorIds, foreign]);
    assert.equal((await learn(range)).body.points, 121);
    const alone = await buildLearningService(user, [foreign]);
    await pool.query('DELETE FROM sensor_users WHERE sensor_id = ?', [foreign]);
    assert.equal((await learn(range)).body.points, 120);
    // Through its virtual sensor, as the sensor that feeds it is no longer visible.
    const path = `/sensors/${alone.id}/services/${alone.id}/manualLearn`;
    assert.equal((await user.api.post(path, range)).status, 400);
  });
});
