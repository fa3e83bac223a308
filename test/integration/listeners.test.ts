import assert from 'node:assert/strict';
import type { Connection } from 'mysql2/promise';
import { raisePartitionsOf } from '../../src/database/partition-versions';
import { runOn } from '../../src/database/transaction';
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
  /** For two sensors: the other one is locked and read before it waits for this one. */
  const upload = () => {
    const data = [{ value: 1, date: DATE }];
    return user.api.post('/sensors/data', { sensors: [earlierId, sensorId].map((sensor_id) => ({ sensor_id, data })) });
  };
  const connect = () => user.api.post(`/sensors/${sensorId}/triggers`, { trigger: { id: triggerId } });
  const state = async () => (await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}`)).body.trigger;
  const raise = () => raisePartitionsOf(runOn(other), { sensorIds: [Number(sensorId)] });
  const lockSensor = (lock: string) => other.query(`SELECT id FROM sensors WHERE id = ? ${lock}`, [sensorId]);

  it('is evaluated by a trigger that is connected while it waits', async () => {
    await lockSensor('FOR UPDATE');
    await other.query('INSERT INTO sensor_triggers (sensor_id, trigger_id, created_ms) VALUES (?, ?, ?)', [
      sensorId,
      triggerId,
      Date.now(),
    ]);
    await raise();
    const { response } = await untilItWaits(upload, 'IN SHARE MODE');
    await other.commit();
    assert.equal((await response).status, 201);
    await platform.settle();
    const { last_sensor_data_date, times_triggered } = await state();
    assert.deepEqual([last_sensor_data_date, times_triggered], [DATE, 1]);
  });

  it('is evaluated by a trigger that is activated while it waits', async () => {
    await connect();
    await user.api.post(`/sensors/${sensorId}/triggers/${triggerId}/active`, { active: false });
    await lockSensor('FOR UPDATE');
    await other.query('UPDATE sensor_triggers SET active = TRUE WHERE sensor_id = ?', [sensorId]);
    await raise();
    const { response } = await untilItWaits(upload, 'IN SHARE MODE');
    await other.commit();
    assert.equal((await response).status, 201);
    await platform.settle();
    assert.equal((await state()).times_triggered, 1);
  });

  it('delays the connection or activation of a trigger until it is stored', async () => {
    await lockSensor('LOCK IN SHARE MODE');
    const connecting = await untilItWaits(connect, 'FOR UPDATE');
    await other.commit();
    assert.equal((await connecting.response).status, 201);
    await user.api.post(`/sensors/${sensorId}/triggers/${triggerId}/active`, { active: false });
    await other.beginTransaction();
    await lockSensor('LOCK IN SHARE MODE');
    const activate = () => user.api.post(`/sensors/${sensorId}/triggers/${triggerId}/active`, { active: true });
    const activating = await untilItWaits(activate, 'FOR UPDATE');
    await other.commit();
    assert.equal((await activating.response).body.trigger.active, true);
  });
});
