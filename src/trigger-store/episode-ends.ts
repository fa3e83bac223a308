import type { EpisodeCause, ResolvedBy } from '../rules/episode';
import type { RunSql } from '../storage/transaction';
import type { RuleEdit } from './rule-edit';

/** Which sensor triggers: these, or all of a trigger. */
export type SensorTriggerSelection = { triggerId: number } | { sensorTriggerIds: readonly number[] };

/** The prefix of the columns of each kind of episode. */
export const EPISODE_COLUMNS: Readonly<Record<EpisodeCause, string>> = {
  expression: 'episode',
  inactivity: 'inactivity_episode',
};

export const BOTH_CAUSES: readonly EpisodeCause[] = ['expression', 'inactivity'];

/**
 * Ends the lasting episodes of these causes on sensor triggers for a reason other than data. With the cause
 * `expression`, pending alerts end as well.
 */
export async function endEpisodes(
  edit: RuleEdit,
  selection: SensorTriggerSelection,
  causes: readonly EpisodeCause[],
  { resolvedBy, nowMs }: { resolvedBy: Exclude<ResolvedBy, 'data'>; nowMs: number },
): Promise<void> {
  const [column, ids] =
    'triggerId' in selection ? ['trigger_id', [selection.triggerId]] : ['id', [...selection.sensorTriggerIds]];
  if (ids.length === 0) return;
  await edit.affects(selection);
  const { run } = edit;
  for (const cause of causes) {
    await run(
      `UPDATE sensor_triggers st
       JOIN firings f ON f.sensor_trigger_id = st.id AND f.fired_ms = st.${EPISODE_COLUMNS[cause]}_ms
       SET f.is_lasting = FALSE, f.ended_ms = ?, f.resolved_by = ? WHERE st.${column} IN (?)`,
      [nowMs, resolvedBy, ids],
    );
  }
  if (causes.includes('expression')) await clear(run, column, ids, nowMs, EXPRESSION);
  if (causes.includes('inactivity')) await clear(run, column, ids, nowMs, INACTIVITY);
}

/** Marks the lasting episode of a sensor trigger as acknowledged: it does not repeat. */
export async function acknowledgeEpisode(edit: RuleEdit, sensorTriggerId: number, cause: EpisodeCause): Promise<void> {
  await edit.affects({ sensorTriggerIds: [sensorTriggerId] });
  const column = `${EPISODE_COLUMNS[cause]}_acknowledged`;
  await edit.run(`UPDATE sensor_triggers SET ${column} = TRUE WHERE id = ?`, [sensorTriggerId]);
}

/** `state_since_ms` comes first: MySQL reads the other columns as the assignments before have left them. */
const EXPRESSION = {
  changes: `state_since_ms = IF(inactivity_episode_ms IS NULL, ?, state_since_ms), pending_since_ms = NULL, clear_since_ms = NULL,
    condition_due_ms = NULL, episode_ms = NULL, episode_fired_ms = NULL, episode_acknowledged = FALSE, episode_announced = FALSE`,
  where: '(episode_ms IS NOT NULL OR pending_since_ms IS NOT NULL)',
};
/** The next inactivity is as long as the trigger says, and not as its repetition does. */
const INACTIVITY = {
  changes: `state_since_ms = IF(episode_ms IS NULL, ?, state_since_ms),
    due_at_ms = inactive_since_ms + 1000 * (SELECT inactivity FROM triggers WHERE triggers.id = trigger_id),
    inactivity_episode_ms = NULL, inactivity_episode_fired_ms = NULL, inactivity_episode_acknowledged = FALSE,
    inactivity_episode_announced = FALSE`,
  where: 'inactivity_episode_ms IS NOT NULL',
};

async function clear(
  run: RunSql,
  column: string,
  ids: readonly number[],
  nowMs: number,
  { changes, where }: typeof EXPRESSION,
): Promise<void> {
  await run(`UPDATE sensor_triggers SET ${changes} WHERE ${column} IN (?) AND ${where}`, [nowMs, ids]);
}
