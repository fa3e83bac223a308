import type { RuleEdit } from '../../access/rule-edit';
import type { RuleChange } from '../rules/rule-change';
import type { TriggerRule } from '../rules/trigger-rule';
import { changeInactivity, changeKeepFiringFor, endWatches, followRepeat } from './inactivity-watch';

interface ChangedTrigger {
  id: number;
  before: Required<TriggerRule>;
  after: Required<TriggerRule>;
}

/**
 * Brings the states of a trigger in line with its changed rule. Call it in the edit, after the episodes that end have
 * ended. Returns the number of episodes that stay open.
 */
export async function changeStates(
  edit: RuleEdit,
  { id, before, after }: ChangedTrigger,
  { restartsPending, restartsClear }: RuleChange,
  nowMs: number,
): Promise<number> {
  await edit.affects({ triggerId: id });
  if (restartsPending) await edit.run(RESTART_PENDING, [nowMs, id]);
  if (restartsClear) await edit.run(RESTART_CLEAR, [id]);
  if (after.inactivity === null) await endWatches(edit, id);
  else {
    const watch = { id, before: before.inactivity, after: after.inactivity };
    if (watch.after !== watch.before) await changeInactivity(edit, watch, nowMs);
    await followRepeat(edit, { id, inactivity: after.inactivity, repeat: after.repeat });
  }
  const kept = { id, before: before.keepFiringFor, after: after.keepFiringFor };
  if (kept.after !== kept.before) await changeKeepFiringFor(edit, kept);
  const [open] = await edit.run(OPEN_EPISODES, [id]);
  return Number(open?.expressions) + Number(open?.inactivities);
}

/** `state_since_ms` comes first: MySQL reads the other columns as the assignments before have left them. */
const RESTART_PENDING = `UPDATE sensor_triggers
  SET state_since_ms = IF(episode_ms IS NULL AND inactivity_episode_ms IS NULL, ?, state_since_ms),
    pending_since_ms = NULL, condition_due_ms = NULL WHERE trigger_id = ? AND pending_since_ms IS NOT NULL`;
const RESTART_CLEAR = `UPDATE sensor_triggers SET clear_since_ms = NULL, condition_due_ms = NULL
  WHERE trigger_id = ? AND clear_since_ms IS NOT NULL`;
const OPEN_EPISODES = `SELECT COUNT(episode_ms) AS expressions, COUNT(inactivity_episode_ms) AS inactivities
  FROM sensor_triggers WHERE trigger_id = ?`;
