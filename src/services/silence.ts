import { QueryTypes, type Sequelize, type Transaction } from 'sequelize';

/** The latest arrival need not be of the newest date; among so many of the newest it is looked for. */
const POINTS_LOOKED_AT = 1_000;
const LATEST_ARRIVAL = `SELECT MAX(p.received_ms) AS sinceMs
  FROM (SELECT received_ms FROM data_points WHERE sensor_id = ? ORDER BY date_ms DESC LIMIT ${POINTS_LOOKED_AT}) p`;

/**
 * Starts to watch for silence on connections that the transaction has locked: it counts from the latest arrival among
 * the sensor's newest data points, or from now when there are none.
 */
export async function watchSilence(
  sequelize: Sequelize,
  transaction: Transaction,
  { sensorTriggerIds, inactivity, nowMs }: { sensorTriggerIds: number[]; inactivity: number; nowMs: number },
): Promise<void> {
  if (sensorTriggerIds.length === 0) return;
  const rows = await sequelize.query<{ id: number; sensorId: number }>(
    'SELECT id, sensor_id AS sensorId FROM sensor_triggers WHERE id IN (?)',
    { replacements: [sensorTriggerIds], type: QueryTypes.SELECT, transaction },
  );
  for (const { id, sensorId } of rows) {
    const [latest] = await sequelize.query<{ sinceMs: number | null }>(LATEST_ARRIVAL, {
      replacements: [sensorId],
      type: QueryTypes.SELECT,
      transaction,
    });
    const silentSinceMs = latest?.sinceMs ?? nowMs;
    await sequelize.query('UPDATE sensor_triggers SET silent_since_ms = ?, due_at_ms = ? WHERE id = ?', {
      replacements: [silentSinceMs, silentSinceMs + inactivity * 1000, id],
      transaction,
    });
  }
}
