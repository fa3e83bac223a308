import { QueryTypes, type Sequelize, type Transaction } from 'sequelize';

/** The latest arrival need not be of the newest date; among so many of the newest it is looked for. */
const POINTS_LOOKED_AT = 100;
const LATEST_ARRIVAL = `SELECT ? AS id, MAX(p.received_ms) AS ms
  FROM (SELECT received_ms FROM data_points WHERE sensor_id = ? ORDER BY date_ms DESC LIMIT ${POINTS_LOOKED_AT}) p`;
const CONNECTIONS_PER_STATEMENT = 100;

/**
 * Starts to watch for inactivity on connections that the transaction has locked: it counts from the latest arrival among
 * the sensor's newest data points, or from now when there are none.
 */
export async function watchInactivity(
  sequelize: Sequelize,
  transaction: Transaction,
  { sensorTriggerIds, inactivity, nowMs }: { sensorTriggerIds: number[]; inactivity: number; nowMs: number },
): Promise<void> {
  for (let start = 0; start < sensorTriggerIds.length; start += CONNECTIONS_PER_STATEMENT) {
    const connections = await sequelize.query<{ id: number; sensorId: number }>(
      'SELECT id, sensor_id AS sensorId FROM sensor_triggers WHERE id IN (?)',
      {
        replacements: [sensorTriggerIds.slice(start, start + CONNECTIONS_PER_STATEMENT)],
        type: QueryTypes.SELECT,
        transaction,
      },
    );
    await sequelize.query(
      `UPDATE sensor_triggers st JOIN (${connections.map(() => LATEST_ARRIVAL).join(' UNION ALL ')}) latest ON latest.id = st.id
       SET st.silent_since_ms = COALESCE(latest.ms, ?), st.due_at_ms = COALESCE(latest.ms, ?) + ?`,
      {
        replacements: [...connections.flatMap(({ id, sensorId }) => [id, sensorId]), nowMs, nowMs, inactivity * 1000],
        transaction,
      },
    );
  }
}
