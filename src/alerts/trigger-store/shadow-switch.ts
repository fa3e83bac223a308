import type { RowDataPacket } from 'mysql2/promise';
import type { ModelEdit, RuleEdit } from '../../access/rule-edit';
import { NotFound } from '../../platform/errors';
import { TriggerShadow } from '../../storage/models/trigger-shadow.model';
import { forUpdate } from '../../storage/transaction';
import type { EpisodeCause } from '../rules/episode';
import type { StateChange } from '../rules/sensor-state';
import { decodeShadow, switchedState } from '../rules/shadow';
import type { TriggerRule } from '../rules/trigger-rule';
import { flushStates } from './latest-points';
import { toState } from './sensor-states';
import { endShadows } from './shadow-states';
import { writeWholeStates } from './state-rows';

/** What the states of a trigger become when it takes over those of its shadow. */
export interface Switched {
  changes: readonly StateChange[];
  /** Sensor triggers with an episode that is open live alone. */
  ends: Readonly<Record<EpisodeCause, readonly number[]>>;
  /** Episodes that are open in the shadow alone: the next pass fires them. */
  fires: number;
}

/** Passes wait until the edit ends. Sensor triggers on which the shadow has not decided yet are left out. */
export async function readSwitched(
  edit: RuleEdit,
  { triggerId, rule }: { triggerId: number; rule: Required<TriggerRule> },
  nowMs: number,
): Promise<Switched> {
  await flushStates(edit, { triggerId });
  const rows = await edit.run(
    `SELECT st.*, w.state AS shadowMemory FROM shadow_states w JOIN sensor_triggers st ON st.id = w.id
     WHERE w.trigger_id = ? AND w.state IS NOT NULL AND st.active FOR UPDATE`,
    [triggerId],
  );
  const switched = rows.map((row) => {
    const before = toState(row as RowDataPacket); // the columns are those of one
    const about = { sensorTriggerId: Number(row.id), sensorId: Number(row.sensor_id), triggerId, before };
    return { ...about, ...switchedState(before, decodeShadow(String(row.shadowMemory)), rule, nowMs) };
  });
  const ending = (cause: EpisodeCause) =>
    switched.filter(({ ends }) => ends.includes(cause)).map(({ sensorTriggerId }) => sensorTriggerId);
  return {
    changes: switched,
    ends: { expression: ending('expression'), inactivity: ending('inactivity') },
    fires: switched.reduce((sum, { fires }) => sum + fires, 0),
  };
}

/** Ends the shadow. Call it when the episodes that end have ended. Throws NotFound if the shadow has ended by itself. */
export async function takeOver(edit: ModelEdit, triggerId: number, { changes }: Switched): Promise<void> {
  const { transaction } = edit;
  const shadow = await TriggerShadow.findOne({ where: { triggerId, endedMs: null }, ...forUpdate(transaction) });
  if (!shadow) throw new NotFound('the shadow of the trigger');
  await writeWholeStates(edit.run, changes);
  await endShadows(edit, triggerId);
  await shadow.destroy({ transaction });
}
