import assert from 'node:assert/strict';
import type { PoolConnection } from 'mysql2/promise';
import type { ApiResponse } from '../support/api-client';
import { type Platform, startPlatform, type TestUser } from '../support/platform';
import { until } from '../support/until';

const DATE = 1_700_000_000;

describe('an upload that meets a connection in progress', () => {
  let platform: Platform;
  let user: TestUser;
  let earlierId: string;
  let sensorId: string;
  let triggerId: string;
  /** Somebody else's transaction. */
  let other: PoolConnection;

  before(async () => {
    platform = await startPlatform();
    user = await platform.user();
  });
  after(() => platform.close());
  beforeEach(async () => {
    earlierId = (await user.api.post('/sensors', { sensor: { name: 'cellar' } })).body.sensor.id;
    sensorId = (await user.api.post('/sensors', { sensor: { name: 'hall' } })).body.sensor.id;
    const trigger = { name: 'any', expression: 'sensor_data_value > 0' };
    triggerId = (await user.api.post('/triggers', { trigger })).body.trigger.id;
    other = await platform.container.database.pool.getConnection();
    await other.beginTransaction();
  });
  afterEach(async () => {
    await other.rollback();
    other.release();
  });

  /** Starts a request, and resolves when it waits in a statement that ends like this. */
  const untilItWaits = async (request: () => Promise<ApiResponse>, end: string) => {
    const answer = request();
    const sql = 'SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE ?';
    await until(
      `a statement waits that ends with ${end}`,
      async () => (await platform.query(sql, [`%${end}`])).length > 0,
    );
    return { answer };
  };
  /** Of two sensors: the other one is locked, and looked at, before this one has to be waited for. */
  const upload = () => {
    const data = [{ value: 1, date: DATE }];
    return user.api.post('/sensors/data', { sensors: [earlierId, sensorId].map((sensor_id) => ({ sensor_id, data })) });
  };
  const connect = () => user.api.post(`/sensors/${sensorId}/triggers`, { trigger: { id: triggerId } });
  const state = async () => (await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}`)).body.trigger;
  const holdSensor = (lock: string) => other.query(`SELECT id FROM sensors WHERE id = ? ${lock}`, [sensorId]);

  it('is evaluated by a trigger that is connected while it waits', async () => {
    await holdSensor('FOR UPDATE');
    await other.query('INSERT INTO sensor_triggers (sensor_id, trigger_id, created_ms) VALUES (?, ?, ?)', [
      sensorId,
      triggerId,
      Date.now(),
    ]);
    const { answer } = await untilItWaits(upload, 'IN SHARE MODE');
    await other.commit();
    assert.equal((await answer).status, 201);
    await platform.settle();
    const { last_sensor_data_date, times_triggered } = await state();
    assert.deepEqual([last_sensor_data_date, times_triggered], [DATE, 1]);
  });

  it('is evaluated by a trigger that is made active while it waits', async () => {
    await connect();
    await user.api.post(`/sensors/${sensorId}/triggers/${triggerId}/active`, { active: false });
    await holdSensor('FOR UPDATE');
    await other.query('UPDATE sensor_triggers SET active = TRUE WHERE sensor_id = ?', [sensorId]);
    const { answer } = await untilItWaits(upload, 'IN SHARE MODE');
    await other.commit();
    assert.equal((await answer).status, 201);
    await platform.settle();
    assert.equal((await state()).times_triggered, 1);
  });

  it('lets whoever connects or activates a trigger wait until it is stored', async () => {
    await holdSensor('LOCK IN SHARE MODE');
    const connecting = await untilItWaits(connect, 'FOR UPDATE');
    await other.commit();
    assert.equal((await connecting.answer).status, 201);
    await user.api.post(`/sensors/${sensorId}/triggers/${triggerId}/active`, { active: false });
    await other.beginTransaction();
    await holdSensor('LOCK IN SHARE MODE');
    const activate = () => user.api.post(`/sensors/${sensorId}/triggers/${triggerId}/active`, { active: true });
    const activating = await untilItWaits(activate, 'FOR UPDATE');
    await other.commit();
    assert.equal((await activating.answer).body.trigger.active, true);
  });
});
