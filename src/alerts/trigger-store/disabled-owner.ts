import type { RuleEdit } from '../../access/rule-edit';
import type { RunSql } from '../../storage/transaction';
import { triggersOfUser } from '../guarded-models';
import { beginShadows } from './shadow-states';

const PER_STEP = 1_000;

/** `afterId` continues the step before. */
interface OwnerStep {
  ownerId: number;
  afterId: number;
  nowMs: number;
}

/**
 * Ends the watches of a disabled owner: no inactivity, condition or hold is due. Open episodes stay open. Returns the
 * id for the next step; undefined after the last one.
 */
async function stopWatches(edit: RuleEdit, step: OwnerStep): Promise<number | undefined> {
  const due = 'AND (st.due_at_ms IS NOT NULL OR st.condition_due_ms IS NOT NULL OR st.pending_since_ms IS NOT NULL)';
  if (step.afterId === 0) await edit.run(STOP_SHADOWS, [step.ownerId]);
  const ids = await nextIds(edit.run, step, due);
  await edit.affects({ sensorTriggerIds: ids });
  if (ids.length === 0) return undefined;
  await edit.run(
    `UPDATE sensor_triggers SET due_at_ms = NULL, inactive_since_ms = NULL, condition_due_ms = NULL,
       state_since_ms = IF(pending_since_ms IS NULL, state_since_ms, ?), pending_since_ms = NULL WHERE id IN (?)`,
    [step.nowMs, ids],
  );
  return ids.at(-1);
}

/**
 * Inactivity counts from `nowMs`: the platform has refused the data. Returns the id for the next step; undefined after
 * the last one.
 */
async function startWatches(edit: RuleEdit, step: OwnerStep): Promise<number | undefined> {
  const ids = await nextIds(edit.run, step, 'AND st.active');
  await edit.affects({ sensorTriggerIds: ids });
  if (ids.length === 0) return undefined;
  await edit.run(
    `UPDATE sensor_triggers st JOIN triggers t ON t.id = st.trigger_id
     SET st.inactive_since_ms = IF(t.inactivity IS NULL, NULL, ?),
       st.due_at_ms = ? + 1000 * IF(st.inactivity_episode_ms IS NULL, t.inactivity,
         COALESCE(NULLIF(t.repeat_after, 0), t.inactivity)),
       st.condition_due_ms = IF(st.clear_since_ms IS NULL, NULL, ?)
     WHERE st.id IN (?)`,
    [step.nowMs, step.nowMs, step.nowMs, ids],
  );
  await beginShadows(edit, { sensorTriggerIds: ids }, step.nowMs);
  return ids.at(-1);
}

/** What the triggers of an account watch, while the account is disabled and enabled. */
export const ownerWatches = { stop: stopWatches, start: startWatches, affected: triggersOfUser };

const STOP_SHADOWS = `DELETE w FROM shadow_states w JOIN trigger_shadows sh ON sh.trigger_id = w.trigger_id
  WHERE sh.owner_id = ?`;

async function nextIds(run: RunSql, { ownerId, afterId }: OwnerStep, and: string): Promise<number[]> {
  const rows = await run(
    `SELECT st.id FROM triggers t JOIN sensor_triggers st ON st.trigger_id = t.id
     WHERE t.owner_id = ? AND st.id > ? ${and} ORDER BY st.id LIMIT ?`,
    [ownerId, afterId, PER_STEP],
  );
  return rows.map(({ id }) => Number(id));
}
