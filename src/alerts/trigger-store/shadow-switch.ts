import type { RowDataPacket } from 'mysql2/promise';
import type { ModelEdit, RuleEdit } from '../../access/rule-edit';
import { NotFound } from '../../platform/errors';
import { paced } from '../../platform/paced';
import type { Trigger } from '../../storage/models/trigger.model';
import { TriggerShadow } from '../../storage/models/trigger-shadow.model';
import { forUpdate, type RunSql } from '../../storage/transaction';
import { CAUSES, EPISODE_FIELDS, type EpisodeCause } from '../rules/episode';
import type { StateChange } from '../rules/sensor-state';
import { decodeShadow, followLive, shadowAtStart, switchedState } from '../rules/shadow';
import { ruleOf, type TriggerRule } from '../rules/trigger-rule';
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

/** Numbers of episodes that stay open, end, and fire by a switch. */
export interface SwitchEffect {
  kept: number;
  ended: number;
  fires: number;
}

interface Switching {
  trigger: Trigger;
  rule: Required<TriggerRule>;
}

/** Passes wait until the edit ends. Sensor triggers on which the shadow has not decided yet are left out. */
export async function readSwitched(edit: RuleEdit, switching: Switching, nowMs: number): Promise<Switched> {
  const { id: triggerId } = switching.trigger;
  await flushStates(edit, { triggerId });
  const rows = await edit.run(
    `SELECT st.*, w.state AS shadowMemory FROM shadow_states w JOIN sensor_triggers st ON st.id = w.id
     WHERE w.trigger_id = ? AND w.state IS NOT NULL AND st.active FOR UPDATE`,
    [triggerId],
  );
  const switched = rows.map((row) => {
    const about = { sensorTriggerId: Number(row.id), sensorId: Number(row.sensor_id), triggerId };
    return { ...about, ...switchedRow(row as RowDataPacket, switching, nowMs) }; // the columns are those of one
  });
  const ending = (cause: EpisodeCause) =>
    switched.filter(({ ends }) => ends.includes(cause)).map(({ sensorTriggerId }) => sensorTriggerId);
  return {
    changes: switched,
    ends: { expression: ending('expression'), inactivity: ending('inactivity') },
    fires: switched.reduce((sum, { fires }) => sum + fires, 0),
  };
}

/** What a switch would do at present. Nothing waits for it. */
export async function readSwitchEffect(run: RunSql, switching: Switching, nowMs: number): Promise<SwitchEffect> {
  const rows = await run(
    `SELECT st.*, w.state AS shadowMemory FROM shadow_states w JOIN sensor_triggers st ON st.id = w.id
     WHERE w.trigger_id = ? AND st.active`,
    [switching.trigger.id],
  );
  const effect = { kept: 0, ended: 0, fires: 0 };
  for await (const row of paced(rows)) {
    const { before, ends, fires } = switchedRow(row as RowDataPacket, switching, nowMs); // the columns are those of one
    effect.kept += CAUSES.filter((cause) => before[EPISODE_FIELDS[cause]] !== null).length - ends.length;
    effect.ended += ends.length;
    effect.fires += fires;
  }
  return effect;
}

/** An alert that a person has ended since the last pass is over in the shadow as well. */
function switchedRow(row: RowDataPacket, { trigger, rule }: Switching, nowMs: number) {
  const before = toState(row);
  const live = { state: before, version: trigger.version };
  const memory =
    row.shadowMemory === null
      ? shadowAtStart(live, { before: ruleOf(trigger), after: rule }, { nowMs, outages: [] })
      : decodeShadow(row.shadowMemory);
  const followed = followLive(memory, live, rule, nowMs);
  const { state } = followed.ends.length > 0 ? followed : memory;
  return { before, ...switchedState(before, { state }, rule, nowMs) };
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
