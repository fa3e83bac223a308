import type { Sequelize, Transaction } from 'sequelize';
import { partsOf } from '../../rules/parts-of';
import type { SensorTrigger } from '../../storage/models/sensor-trigger.model';
import { bumpEpochsOf } from '../../storage/partition-epochs';
import { inTransaction, type RunSql, runIn } from '../../storage/transaction';

/** The latest arrival need not have the newest date; it is looked for among so many points of the newest dates. */
const POINTS_LOOKED_AT = 100;
/** Delays are rounded up, and what is the largest may be longer: the arrival is a second too late, or now, but never too early. */
const LATEST_ARRIVAL = `SELECT ? AS sensorId, LEAST(MAX(IF(p.delay_s = 2147483647, ?, p.date_ms + p.delay_s * 1000)), ?) AS ms
  FROM (SELECT date_ms, delay_s FROM data_points WHERE sensor_id = ? ORDER BY date_ms DESC LIMIT ${POINTS_LOOKED_AT}) p`;
const CONNECTIONS_PER_STATEMENT = 100;

/**
 * Starts to watch sensor triggers, which the transaction has locked, for inactivity as long as their triggers say: it
 * counts from the latest arrival among the sensor's newest data points, or from now when there are none. The points are read
 * by a statement of their own, because MySQL locks what an UPDATE reads, and so would wait for uploads, and they for it.
 */
export async function watchInactivity(
  sequelize: Sequelize,
  transaction: Transaction,
  sensorTriggers: readonly SensorTrigger[],
  nowMs: number,
): Promise<void> {
  const run = runIn(sequelize, transaction);
  for (const slice of partsOf(sensorTriggers, CONNECTIONS_PER_STATEMENT)) {
    const arrivals = await latestArrivals(run, slice, nowMs);
    await run(
      `UPDATE sensor_triggers st
       JOIN triggers t ON t.id = st.trigger_id
       JOIN (${arrivals.map(() => 'SELECT ? AS sensor_id, ? AS ms').join(' UNION ALL ')}) latest ON latest.sensor_id = st.sensor_id
       SET st.inactive_since_ms = latest.ms, st.due_at_ms = latest.ms + t.inactivity * 1000
       WHERE st.id IN (?) AND t.inactivity IS NOT NULL`,
      [...arrivals.flatMap(({ sensorId, ms }) => [sensorId, ms ?? nowMs]), slice.map(({ id }) => id)],
    );
  }
}

/**
 * After the commit that started to watch these sensor triggers of one sensor: counts from what arrived until then. An upload locks no
 * sensor, so it may be stored after the watch has looked; one that is stored after this look sees the watch itself.
 */
export async function watchWhatArrived(
  sequelize: Sequelize,
  { sensorId, sensorTriggerIds }: { sensorId: number; sensorTriggerIds: readonly number[] },
  nowMs: number,
): Promise<void> {
  if (sensorTriggerIds.length === 0) return;
  await inTransaction(sequelize, async (transaction) => {
    const run = runIn(sequelize, transaction);
    const [arrival] = await latestArrivals(run, [{ sensorId }], nowMs);
    const ms = arrival?.ms ?? 0;
    const overlooked = 'id IN (?) AND active AND due_at_ms IS NOT NULL AND inactive_since_ms < ?';
    const late = await run(`SELECT id FROM sensor_triggers WHERE ${overlooked}`, [sensorTriggerIds, ms]);
    if (late.length === 0) return;
    await run(
      `UPDATE sensor_triggers SET due_at_ms = due_at_ms + ? - inactive_since_ms, inactive_since_ms = ? WHERE ${overlooked}`,
      [ms, ms, sensorTriggerIds, ms],
    );
    await bumpEpochsOf(run, { sensorIds: [sensorId] });
  });
}

async function latestArrivals(run: RunSql, watched: readonly Pick<SensorTrigger, 'sensorId'>[], nowMs: number) {
  const sensorIds = [...new Set(watched.map(({ sensorId }) => sensorId))];
  const rows = await run(
    sensorIds.map(() => LATEST_ARRIVAL).join(' UNION ALL '),
    sensorIds.flatMap((id) => [id, nowMs, nowMs, id]),
  );
  return rows.map(({ sensorId, ms }) => ({ sensorId: Number(sensorId), ms: ms === null ? null : Number(ms) }));
}
