import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { Sequelize } from 'sequelize';
import { editRules, type RuleEdit } from '../../access/rule-edit';
import { partsOf } from '../../platform/parts-of';
import { latestArrivals } from '../../points';
import type { RunSql } from '../../storage/transaction';

const CONNECTIONS_PER_STATEMENT = 100;

export interface Watched {
  id: number;
  sensorId: number;
}

/**
 * Counts inactivity of locked sensor triggers from the latest arrival among the newest points, or from now. Reads
 * points by a separate statement: MySQL locks what an UPDATE reads, so this and uploads would wait for each other.
 */
export async function watchInactivity(
  edit: RuleEdit,
  sensorTriggers: readonly Watched[],
  nowMs: number,
): Promise<void> {
  const { run } = edit;
  await edit.affects({ sensorIds: sensorTriggers.map(({ sensorId }) => sensorId) });
  for (const slice of partsOf(sensorTriggers, CONNECTIONS_PER_STATEMENT)) {
    const arrivals = await arrivalsOf(run, slice, nowMs);
    await run(
      `UPDATE sensor_triggers st
       JOIN triggers t ON t.id = st.trigger_id
       JOIN (${latestTable(arrivals)}) latest ON latest.sensor_id = st.sensor_id
       SET st.inactive_since_ms = latest.ms, st.due_at_ms = latest.ms + t.inactivity * 1000
       WHERE st.id IN (?) AND t.inactivity IS NOT NULL`,
      [...arrivals.flatMap(({ sensorId, ms }) => [sensorId, ms ?? nowMs]), slice.map(({ id }) => id)],
    );
  }
}

/**
 * Call it after the commit that started the watch. An upload locks no sensor, so it may be stored after the watch has
 * looked; one that is stored after this look sees the watch.
 */
export async function watchWhatArrived(
  sequelize: Sequelize,
  watched: readonly Watched[],
  nowMs: number,
): Promise<void> {
  for (const slice of partsOf(watched, CONNECTIONS_PER_STATEMENT)) {
    await editRules(sequelize, (edit) => countFromArrivals(edit, slice, nowMs));
  }
}

async function countFromArrivals(edit: RuleEdit, watched: readonly Watched[], nowMs: number): Promise<void> {
  const { run } = edit;
  const arrivals = await arrivalsOf(run, watched, nowMs);
  const overlooked = {
    from: `sensor_triggers st JOIN (${latestTable(arrivals)}) latest ON latest.sensor_id = st.sensor_id`,
    where: 'st.id IN (?) AND st.active AND st.due_at_ms IS NOT NULL AND st.inactive_since_ms < latest.ms',
    values: arrivals.flatMap(({ sensorId, ms }) => [sensorId, ms ?? 0]),
  };
  const values = [...overlooked.values, watched.map(({ id }) => id)];
  const late = await run(`SELECT st.sensor_id AS sensorId FROM ${overlooked.from} WHERE ${overlooked.where}`, values);
  if (late.length === 0) return;
  await edit.affects({ sensorIds: late.map(({ sensorId }) => Number(sensorId)) });
  await run(
    `UPDATE ${overlooked.from} SET st.due_at_ms = st.due_at_ms + latest.ms - st.inactive_since_ms,
       st.inactive_since_ms = latest.ms WHERE ${overlooked.where}`,
    values,
  );
}

function latestTable(arrivals: readonly unknown[]): string {
  return arrivals.map(() => 'SELECT ? AS sensor_id, ? AS ms').join(' UNION ALL ');
}

function arrivalsOf(run: RunSql, watched: readonly Watched[], nowMs: number) {
  return latestArrivals(run, [...new Set(watched.map(({ sensorId }) => sensorId))], nowMs);
}

/**
 * Moves the due times of running watches, which keep their start. It accounts for earlier firings and outages. All
 * other active sensor triggers start to watch.
 */
export async function changeInactivity(
  edit: RuleEdit,
  trigger: { id: number; before: number | null; after: number },
  nowMs: number,
): Promise<void> {
  await edit.affects({ triggerId: trigger.id });
  const active = await edit.run(
    `SELECT id, sensor_id AS sensorId, due_at_ms AS dueAtMs FROM sensor_triggers
     WHERE trigger_id = ? AND active ORDER BY sensor_id FOR UPDATE`,
    [trigger.id],
  );
  const running = active.filter(({ dueAtMs }) => dueAtMs !== null).map(({ id }) => Number(id));
  const longerMs = (trigger.after - (trigger.before ?? 0)) * 1000;
  if (running.length > 0) {
    await edit.run('UPDATE sensor_triggers SET due_at_ms = due_at_ms + ? WHERE id IN (?)', [longerMs, running]);
  }
  const others = active.filter(({ dueAtMs }) => dueAtMs === null);
  const watched = others.map(({ id, sensorId }) => ({ id: Number(id), sensorId: Number(sensorId) }));
  await watchInactivity(edit, watched, nowMs);
}

/** Moves the due times of episodes that wait for `keep_firing_for`. */
export async function changeKeepFiringFor(
  edit: RuleEdit,
  trigger: { id: number; before: number; after: number },
): Promise<void> {
  await edit.affects({ triggerId: trigger.id });
  await edit.run(
    `UPDATE sensor_triggers SET condition_due_ms = condition_due_ms + ?
     WHERE trigger_id = ? AND clear_since_ms IS NOT NULL`,
    [(trigger.after - trigger.before) * 1000, trigger.id],
  );
}

/** A trigger without an inactivity watches none. */
export async function endWatches(edit: RuleEdit, triggerId: number): Promise<void> {
  await edit.affects({ triggerId });
  await edit.run(
    `UPDATE sensor_triggers SET due_at_ms = NULL, inactive_since_ms = NULL
     WHERE trigger_id = ? AND inactive_since_ms IS NOT NULL`,
    [triggerId],
  );
}

/** In an episode of inactivity, the next firing is due by the repetition, or too early. */
export async function followRepeat(
  edit: RuleEdit,
  { id, inactivity, repeat }: { id: number; inactivity: number | null; repeat: number | null },
): Promise<void> {
  await edit.affects({ triggerId: id });
  await edit.run(
    `UPDATE sensor_triggers SET due_at_ms = LEAST(due_at_ms, inactive_since_ms + ?)
     WHERE trigger_id = ? AND inactivity_episode_ms IS NOT NULL`,
    [(repeat || Number(inactivity)) * 1000, id],
  );
}

/** Start of the earliest running inactivity, in ms. */
export async function earliestInactivity(pool: Pool): Promise<number | undefined> {
  const [[earliest]] = await pool.query<RowDataPacket[]>(
    'SELECT MIN(inactive_since_ms) AS sinceMs FROM sensor_triggers WHERE due_at_ms IS NOT NULL',
  );
  return earliest?.sinceMs ?? undefined;
}
