import type { Sequelize, Transaction } from 'sequelize';
import { partsOf } from '../../domain/parts-of';
import type { SensorTrigger } from '../../models/sensor-trigger.model';

/** The latest arrival need not have the newest date; it is looked for among so many points of the newest dates. */
const POINTS_LOOKED_AT = 100;
/** Delays are rounded up, and what is the largest may be longer: the arrival is a second too late, or now, but never too early. */
const LATEST_ARRIVAL = `SELECT ? AS sensor_id, LEAST(MAX(IF(p.delay_s = 2147483647, ?, p.date_ms + p.delay_s * 1000)), ?) AS ms
  FROM (SELECT date_ms, delay_s FROM data_points WHERE sensor_id = ? ORDER BY date_ms DESC LIMIT ${POINTS_LOOKED_AT}) p`;
const CONNECTIONS_PER_STATEMENT = 100;

/**
 * Starts to watch sensor triggers, which the transaction has locked, for inactivity as long as their triggers say: it
 * counts from the latest arrival among the sensor's newest data points, or from now when there are none.
 */
export async function watchInactivity(
  sequelize: Sequelize,
  transaction: Transaction,
  sensorTriggers: readonly SensorTrigger[],
  nowMs: number,
): Promise<void> {
  for (const slice of partsOf(sensorTriggers, CONNECTIONS_PER_STATEMENT)) {
    const sensorIds = [...new Set(slice.map(({ sensorId }) => sensorId))];
    await sequelize.query(
      `UPDATE sensor_triggers st
       JOIN triggers t ON t.id = st.trigger_id
       JOIN (${sensorIds.map(() => LATEST_ARRIVAL).join(' UNION ALL ')}) latest ON latest.sensor_id = st.sensor_id
       SET st.inactive_since_ms = COALESCE(latest.ms, ?), st.due_at_ms = COALESCE(latest.ms, ?) + t.inactivity * 1000
       WHERE st.id IN (?) AND t.inactivity IS NOT NULL`,
      {
        replacements: [...sensorIds.flatMap((id) => [id, nowMs, nowMs, id]), nowMs, nowMs, slice.map(({ id }) => id)],
        transaction,
      },
    );
  }
}
