import type { Sequelize } from 'sequelize';
import { editRules, type ModelEdit } from '../../access/rule-edit';
import { partsByWeight, partsOf } from '../../platform/parts-of';
import type { RunSql } from '../../storage/transaction';
import { CAUSES, type EpisodeCause } from '../rules/episode';
import { EPISODE_COLUMNS } from '../trigger-store/episode-ends';
import { findOwed } from './owed-ends';

/** Episodes and deliveries per transaction. A pass that waits for a longer one would delay sensors of other users. */
const ROWS_PER_STEP = 2_000;
const EPISODES_PER_STEP = 200;

type Ending = { triggerId: number } | { sensorIds: readonly number[] } | { sensorTriggerIds: readonly number[] };

interface EndingRow {
  id: number;
  sensorId: number;
  /** Deliveries that the ends write, at most. */
  deliveries: number;
  /** Notifications of the sensor trigger alone. */
  connections: number;
}

export interface EndMost {
  of: Ending;
  causes?: readonly EpisodeCause[];
  before?: (edit: ModelEdit, sensorTriggerIds: number[]) => Promise<unknown>;
}

interface Ends {
  end(
    edit: ModelEdit,
    selection: { sensorTriggerIds: readonly number[] },
    options: { causes: readonly EpisodeCause[] },
  ): Promise<number>;
}

/** Ends episodes in small transactions until the rest fits in the transaction of the edit. Returns their number. */
export async function endMost(sequelize: Sequelize, ends: Ends, ending: EndMost): Promise<number> {
  for (let total = 0; ; ) {
    const ended = await editRules(sequelize, (edit) => endSome(edit, ends, ending));
    if (ended === undefined) return total;
    total += ended;
  }
}

/** Ends the first episodes, and returns their number. Undefined if all fit in one transaction: none has ended. */
export async function endSome(
  edit: ModelEdit,
  ends: Ends,
  { of, causes = CAUSES, before }: EndMost,
): Promise<number | undefined> {
  if (causes.length === 0 || ('sensorTriggerIds' in of && of.sensorTriggerIds.length === 0)) return undefined;
  const isLasting = `(${causes.map((cause) => `st.${EPISODE_COLUMNS[cause]}_ms IS NOT NULL`).join(' OR ')})`;
  const lasting = await readEnding(edit.run, of, causes, { where: isLasting, limit: EPISODES_PER_STEP + 1 });
  const step = firstStep(lasting);
  if (step.length === lasting.length) return undefined;
  const ids = step.map(({ id }) => id);
  await edit.affects({ sensorIds: step.map(({ sensorId }) => sensorId) });
  await before?.(edit, ids);
  return ends.end(edit, { sensorTriggerIds: ids }, { causes });
}

/** First sensor triggers that one transaction may disconnect: at least one. */
export async function firstToDisconnect(
  run: RunSql,
  sensorTriggerIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (sensorTriggerIds.length === 0) return new Set();
  const of = { sensorTriggerIds };
  const all = await readEnding(run, of, CAUSES, { where: 'TRUE', limit: EPISODES_PER_STEP });
  const step = firstStep(all.map(({ id, deliveries, connections }) => ({ id, deliveries: deliveries + connections })));
  return new Set(step.map(({ id }) => id));
}

interface EndsFor {
  endFor(edit: ModelEdit, notificationIds: readonly number[], sensorTriggerIds: readonly number[]): Promise<void>;
}

/** Ends most episodes for a notification that is about to be disconnected or disabled. */
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

/** First sensor triggers whose episodes may end in one transaction: at least one. */
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
