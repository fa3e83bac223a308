import assert from 'node:assert/strict';
import type { Connection } from 'mysql2/promise';
import { editRulesOn } from '../../src/access/rule-edit';
import type { ApiResponse } from '../support/api-client';
import { buildSensor, buildTrigger } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';
import { connectOtherClient } from '../support/other-client';
import { until } from '../support/until';

const DATE = 1_700_000_000;

describe('an upload while a trigger is being connected', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  let earlierId: string;
  let sensorId: string;
  let triggerId: string;
  /** The transaction of another process. */
  let other: Connection;

  beforeEach(async () => {
    earlierId = await buildSensor(user);
    sensorId = await buildSensor(user);
    triggerId = await buildTrigger(user, { expression: 'sensor_data_value > 0' });
    other = await connectOtherClient(platform);
    await other.beginTransaction();
  });
  afterEach(async () => {
    await other.rollback();
    await other.end();
  });

  /** Starts a request and resolves when it waits in a statement that ends like this. */
  const untilItWaits = async (request: () => Promise<ApiResponse>, end: string) => {
    const response = request();
    const sql = 'SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE ?';
    await until(
      `a statement that ends with ${end} waits`,
      async () => (await platform.query(sql, [`%${end}`])).length > 0,
    );
    return { response };
  };
  const upload = () => {
    const data = [{ value: 1, date: DATE }];
    return user.api.post('/sensors/data', { sensors: [earlierId, sensorId].map((sensor_id) => ({ sensor_id, data })) });
  };
  const connect = () => user.api.post(`/sensors/${sensorId}/triggers`, { trigger: { id: triggerId } });
  const state = async () => (await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}`)).body.trigger;
  /** An upload that has looked at its sensors, and waits to store its points. */
  const waitingUpload = async () => {
    const point = [sensorId, DATE * 1000, '0', 0];
    await other.query('INSERT INTO data_points (sensor_id, date_ms, value, delay_s) VALUES (?)', [point]);
    return untilItWaits(upload, 'VALUES(delay_s)');
  };
  const stateAfter = async ({ response }: { response: Promise<ApiResponse> }) => {
    await other.rollback();
    assert.equal((await response).status, 201);
    await platform.settle();
    return state();
  };

  it('is evaluated by a trigger that is connected while it waits, and holds up nobody who connects one', async () => {
    const waiting = await waitingUpload();
    assert.equal((await connect()).status, 201);
    const { last_sensor_data_date, times_triggered } = await stateAfter(waiting);
    assert.deepEqual([last_sensor_data_date, times_triggered], [DATE, 1]);
  });

  it('is evaluated by a trigger that is activated while it waits', async () => {
    await connect();
    const setActive = (active: boolean) =>
      user.api.post(`/sensors/${sensorId}/triggers/${triggerId}/active`, { active });
    await setActive(false);
    const waiting = await waitingUpload();
    assert.equal((await setActive(true)).body.trigger.active, true);
    assert.equal((await stateAfter(waiting)).times_triggered, 1);
  });

  it('ends the inactivity that a trigger begins to watch while it is stored', async () => {
    const hourAgoMs = Date.now() - 3_600_000;
    const point = [sensorId, hourAgoMs, '0', 0];
    await platform.query('INSERT INTO data_points (sensor_id, date_ms, value, delay_s) VALUES (?)', [point]);
    const inactiveId = await buildTrigger(user, { inactivity: 1800 });
    await other.query('UPDATE partitions SET watches = watches + 1');
    const connecting = await untilItWaits(
      () => user.api.post(`/sensors/${sensorId}/triggers`, { trigger: { id: inactiveId } }),
      'AND partition_count = %',
    );
    const beganMs = Date.now();
    assert.equal((await upload()).status, 201);
    await other.rollback();
    assert.equal((await connecting.response).status, 201);
    const [row] = await platform.query(
      'SELECT inactive_since_ms AS since, due_at_ms AS due FROM sensor_triggers WHERE sensor_id = ?',
      [sensorId],
    );
    assert.ok(Number(row?.since) >= beganMs - 1, `${row?.since} is before ${beganMs}`);
    assert.equal(Number(row?.due) - Number(row?.since), 1_800_000);
  });

  it('does not end an inactivity that is watched already, when its trigger is set active once more', async () => {
    const inactiveId = await buildTrigger(user, { inactivity: 1800 });
    await user.api.post(`/sensors/${sensorId}/triggers`, { trigger: { id: inactiveId } });
    const [since, due] = [1_000, 1_801_000];
    await platform.query('UPDATE sensor_triggers SET inactive_since_ms = ?, due_at_ms = ? WHERE sensor_id = ?', [
      since,
      due,
      sensorId,
    ]);
    await editRulesOn(platform.container.database.pool, (edit) => edit.affects({ sensorIds: [Number(sensorId)] }));
    assert.equal((await upload()).status, 201);
    const path = `/sensors/${sensorId}/triggers/${inactiveId}/active`;
    assert.equal((await user.api.post(path, { active: true })).status, 200);
    const sql = 'SELECT inactive_since_ms AS since, due_at_ms AS due FROM sensor_triggers WHERE sensor_id = ?';
    assert.deepEqual(await platform.query(sql, [sensorId]), [{ since, due }]);
  });

  it('does not wait for a change of its sensor', async () => {
    await other.query('SELECT id FROM sensors WHERE id = ? FOR UPDATE', [sensorId]);
    assert.equal((await upload()).status, 201);
  });

  it('is refused once its sensor is deleted, although it is cached', async () => {
    assert.equal((await upload()).status, 201);
    assert.equal((await user.api.delete(`/sensors/${sensorId}`)).status, 200);
    assert.equal((await upload()).status, 404);
    const points = await platform.query('SELECT 1 FROM data_points WHERE sensor_id = ?', [earlierId]);
    assert.equal(points.length, 1);
  });

  it('is not stored any more once its sensor says so', async () => {
    const send = (date: number) => user.api.post(`/sensors/${sensorId}/data`, { value: 1, date });
    const stored = () => platform.query('SELECT 1 FROM data_points WHERE sensor_id = ?', [sensorId]);
    assert.equal((await send(DATE)).status, 201);
    const change = { sensor: { use_data_storage: false } };
    assert.equal((await user.api.put(`/sensors/${sensorId}`, change)).status, 200);
    assert.equal((await send(DATE + 1)).status, 201);
    assert.equal((await stored()).length, 1);
  });
});
