import type { Sequelize } from 'sequelize';
import { editRules, type ModelEdit } from '../../access/rule-edit';
import { partsByWeight, partsOf } from '../../platform/parts-of';
import type { RunSql } from '../../storage/transaction';
import type { EpisodeCause } from '../rules/episode';
import { BOTH_CAUSES, EPISODE_COLUMNS } from '../trigger-store/episode-ends';
import { findOwed } from './owed-ends';

/**
 * Maximum number of episodes and deliveries of their ends in one transaction. A pass that waits for the sensor triggers
 * of a longer one would delay the sensors of other users.
 */
const ROWS_PER_STEP = 2_000;
const EPISODES_PER_STEP = 200;

/** Some sensor triggers: those of a trigger or of sensors, or these. */
type Ending = { triggerId: number } | { sensorIds: readonly number[] } | { sensorTriggerIds: readonly number[] };

interface EndingRow {
  id: number;
  sensorId: number;
  /** Number of deliveries that the ends of its episodes write, at most. */
  deliveries: number;
  /** Number of notifications that are connected to it alone. */
  connections: number;
}

/** What an edit is about to end, and what it does with the sensor triggers of each step. */
export interface EndMost {
  of: Ending;
  causes?: readonly EpisodeCause[];
  before?: (edit: ModelEdit, sensorTriggerIds: number[]) => Promise<unknown>;
}

/** Ends episodes in the transaction of an edit. */
interface Ends {
  end(
    edit: ModelEdit,
    selection: { sensorTriggerIds: readonly number[] },
    options: { causes: readonly EpisodeCause[] },
  ): Promise<void>;
}

/**
 * Ends the episodes of sensor triggers that an edit is about to end, in small transactions, until those that are left
 * fit in the transaction of the edit itself. Each trigger has many sensors, and each of them many notifications.
 */
export async function endMost(sequelize: Sequelize, ends: Ends, ending: EndMost): Promise<void> {
  while (await editRules(sequelize, (edit) => endSome(edit, ends, ending)));
}

/**
 * Ends the first episodes of sensor triggers, in the transaction of the edit, if not all of them fit in one. Returns
 * true if it has ended some.
 */
export async function endSome(
  edit: ModelEdit,
  ends: Ends,
  { of, causes = BOTH_CAUSES, before }: EndMost,
): Promise<boolean> {
  if (causes.length === 0 || ('sensorTriggerIds' in of && of.sensorTriggerIds.length === 0)) return false;
  const isLasting = `(${causes.map((cause) => `st.${EPISODE_COLUMNS[cause]}_ms IS NOT NULL`).join(' OR ')})`;
  const lasting = await readEnding(edit.run, of, causes, { where: isLasting, limit: EPISODES_PER_STEP + 1 });
  const step = firstStep(lasting);
  if (step.length === lasting.length) return false;
  const ids = step.map(({ id }) => id);
  await edit.affects({ sensorIds: step.map(({ sensorId }) => sensorId) });
  await before?.(edit, ids);
  await ends.end(edit, { sensorTriggerIds: ids }, { causes });
  return true;
}

/** The first sensor triggers that one transaction may disconnect, with the ends of their episodes: one at least. */
export async function firstToDisconnect(
  run: RunSql,
  sensorTriggerIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (sensorTriggerIds.length === 0) return new Set();
  const of = { sensorTriggerIds };
  const all = await readEnding(run, of, BOTH_CAUSES, { where: 'TRUE', limit: EPISODES_PER_STEP });
  const step = firstStep(all.map(({ id, deliveries, connections }) => ({ id, deliveries: deliveries + connections })));
  return new Set(step.map(({ id }) => id));
}

/** Ends episodes for some notifications alone. */
interface EndsFor {
  endFor(edit: ModelEdit, notificationIds: readonly number[], sensorTriggerIds: readonly number[]): Promise<void>;
}

/**
 * The same for a notification that is about to be disconnected from sensor triggers, or disabled: it gets the ends of
 * most of their episodes.
 */
export async function endMostFor(
  sequelize: Sequelize,
  ends: EndsFor,
  notificationId: number,
  sensorTriggerIds: readonly number[],
): Promise<void> {
  const read = (edit: ModelEdit) => findOwed(edit.run, [notificationId], sensorTriggerIds);
  const steps = partsOf(await editRules(sequelize, read), EPISODES_PER_STEP).slice(0, -1);
  for (const step of steps) await editRules(sequelize, (edit) => ends.endFor(edit, [notificationId], step));
}

/** The first sensor triggers whose episodes may end in one transaction: one at least. */
export function firstStep<T extends { deliveries: number }>(ending: readonly T[]): T[] {
  const some = ending.slice(0, EPISODES_PER_STEP);
  return partsByWeight(some, ({ deliveries }) => 1 + deliveries, ROWS_PER_STEP)[0] ?? [];
}

async function readEnding(
  run: RunSql,
  of: Ending,
  causes: readonly EpisodeCause[],
  { where, limit }: { where: string; limit: number },
): Promise<EndingRow[]> {
  const episodes = causes.map((cause) => `(st.${EPISODE_COLUMNS[cause]}_ms IS NOT NULL)`).join(' + ');
  const connections = '(SELECT COUNT(*) FROM sensor_trigger_notifications stn WHERE stn.sensor_trigger_id = st.id)';
  const rows = await run(
    `SELECT st.id, st.sensor_id AS sensorId, ${connections} AS connections, t.notify_resolved * (${episodes}) *
       ((SELECT COUNT(*) FROM trigger_notifications tn WHERE tn.trigger_id = st.trigger_id) + ${connections}) AS deliveries
     FROM sensor_triggers st JOIN triggers t ON t.id = st.trigger_id
     WHERE ${whereOf(of)} AND ${where} ORDER BY st.sensor_id, st.id LIMIT ?`,
    [...Object.values(of), limit],
  );
  return rows.map(({ id, sensorId, deliveries, connections: own }) => ({
    id: Number(id),
    sensorId: Number(sensorId),
    deliveries: Number(deliveries),
    connections: Number(own),
  }));
}

function whereOf(of: Ending): string {
  if ('triggerId' in of) return 'st.trigger_id = ?';
  return 'sensorIds' in of ? 'st.sensor_id IN (?)' : 'st.id IN (?)';
}
