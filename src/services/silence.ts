import { QueryTypes, type Sequelize, type Transaction } from 'sequelize';

const NEWEST = `SELECT p.received_ms FROM data_points p WHERE p.sensor_id = st.sensor_id
                ORDER BY p.date_ms DESC LIMIT 1`;

/**
 * Starts to watch for silence on connections that the transaction has locked: it counts from the arrival of the
 * sensor's newest data point, or from now when there is none.
 */
export async function watchSilence(
  sequelize: Sequelize,
  transaction: Transaction,
  { sensorTriggerIds, inactivity, nowMs }: { sensorTriggerIds: number[]; inactivity: number; nowMs: number },
): Promise<void> {
  if (sensorTriggerIds.length === 0) return;
  const rows = await sequelize.query<{ id: number; sinceMs: number | null }>(
    `SELECT st.id, (${NEWEST}) AS sinceMs FROM sensor_triggers st WHERE st.id IN (:sensorTriggerIds)`,
    { replacements: { sensorTriggerIds }, type: QueryTypes.SELECT, transaction },
  );
  for (const { id, sinceMs } of rows) {
    const silentSinceMs = sinceMs ?? nowMs;
    await sequelize.query('UPDATE sensor_triggers SET silent_since_ms = ?, due_at_ms = ? WHERE id = ?', {
      replacements: [silentSinceMs, silentSinceMs + inactivity * 1000, id],
      transaction,
    });
  }
}
