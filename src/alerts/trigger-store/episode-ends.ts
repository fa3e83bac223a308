import type { RuleEdit } from '../../access/rule-edit';
import { muteEndMs } from '../../edge/mute';
import { unitOf } from '../../language/measured-value';
import { type EndedEpisode, IS_DEFERRED } from '../../notifications';
import { readMutes } from '../../storage/mutes';
import type { RunSql } from '../../storage/transaction';
import { CAUSES, type EpisodeCause, type ResolvedBy } from '../rules/episode';
import { endShadowEpisodes } from './shadow-states';

/** These sensor triggers, or all of a trigger or of sensors. */
export type SensorTriggerSelection =
  | { triggerId: number }
  | { sensorIds: readonly number[] }
  | { sensorTriggerIds: readonly number[] };

export const EPISODE_COLUMNS: Readonly<Record<EpisodeCause, string>> = {
  expression: 'episode',
  inactivity: 'inactivity_episode',
};

/** Ends lasting episodes for a reason other than data, and returns them. `expression` also ends pending alerts. */
export async function endEpisodes(
  edit: RuleEdit,
  selection: SensorTriggerSelection,
  causes: readonly EpisodeCause[],
  { resolvedBy, nowMs }: { resolvedBy: Exclude<ResolvedBy, 'data'>; nowMs: number },
): Promise<EndedEpisode[]> {
  const [column, ids] = rowsOf(selection);
  if (ids.length === 0 || causes.length === 0) return [];
  const { run } = edit;
  const lastingIds = await lockLasting(edit, selection, causes);
  const ended: EndedEpisode[] = [];
  for (const cause of lastingIds.length === 0 ? [] : causes) {
    ended.push(...(await readLasting(run, lastingIds, cause, nowMs)));
    await run(
      `UPDATE sensor_triggers st
       JOIN firings f ON f.sensor_trigger_id = st.id AND f.fired_ms = st.${EPISODE_COLUMNS[cause]}_ms
       SET f.is_lasting = FALSE, f.ended_ms = ?, f.resolved_by = ? WHERE st.id IN (?)`,
      [nowMs, resolvedBy, lastingIds],
    );
    if (resolvedBy === 'user') await endShadowEpisodes(run, lastingIds, nowMs, [cause]);
  }
  if (causes.includes('expression')) await clear(run, column, ids, nowMs, EXPRESSION);
  if (causes.includes('inactivity')) await clear(run, column, ids, nowMs, INACTIVITY);
  return ended;
}

/** Locks lasting episodes, as they would end now. They only end for some notifications. */
export async function lockEpisodes(
  edit: RuleEdit,
  sensorTriggerIds: readonly number[],
  nowMs: number,
): Promise<EndedEpisode[]> {
  if (sensorTriggerIds.length === 0) return [];
  const ids = await lockLasting(edit, { sensorTriggerIds }, CAUSES);
  const lasting: EndedEpisode[] = [];
  for (const cause of ids.length === 0 ? [] : CAUSES) {
    lasting.push(...(await readLasting(edit.run, ids, cause, nowMs)));
  }
  return lasting;
}

/** Locks before anything is read: a pass may be about to end the episodes. */
async function lockLasting(
  edit: RuleEdit,
  selection: SensorTriggerSelection,
  causes: readonly EpisodeCause[],
): Promise<number[]> {
  const [column, ids] = rowsOf(selection);
  await edit.affects(selection);
  const lasting = causes.map((cause) => `${EPISODE_COLUMNS[cause]}_ms IS NOT NULL`).join(' OR ');
  const locked = await edit.run(`SELECT id FROM sensor_triggers WHERE ${column} IN (?) AND (${lasting}) FOR UPDATE`, [
    ids,
  ]);
  return locked.map(({ id }) => Number(id));
}

function rowsOf(selection: SensorTriggerSelection): [column: string, ids: readonly number[]] {
  if ('triggerId' in selection) return ['trigger_id', [selection.triggerId]];
  if ('sensorIds' in selection) return ['sensor_id', [...selection.sensorIds]];
  return ['id', [...selection.sensorTriggerIds]];
}

async function readLasting(
  run: RunSql,
  sensorTriggerIds: readonly number[],
  cause: EpisodeCause,
  nowMs: number,
): Promise<EndedEpisode[]> {
  const prefix = EPISODE_COLUMNS[cause];
  const rows = await run(
    `SELECT f.id AS firingId, st.id AS sensorTriggerId, t.id AS triggerId, t.name AS triggerName, t.owner_id AS ownerId,
       s.id AS sensorId, s.name AS sensorName, s.unit, s.display_name AS displayName,
       s.data_structure AS dataStructure, st.${prefix}_announced AS isAnnounced, st.muted_until_ms AS mutedUntilMs,
       t.notify_resolved AS notifyResolved, f.is_dependent AS isDependent, ${IS_DEFERRED} AS isDeferred
     FROM sensor_triggers st JOIN firings f ON f.sensor_trigger_id = st.id AND f.fired_ms = st.${prefix}_ms
          JOIN triggers t ON t.id = st.trigger_id JOIN sensors s ON s.id = st.sensor_id
     WHERE st.id IN (?) ORDER BY f.id`,
    [sensorTriggerIds],
  );
  const notifying = rows.filter(isNotified);
  const mutes = await readMutes(run, [...new Set(notifying.map(({ ownerId }) => Number(ownerId)))]);
  const deliverAtMs = ({ mutedUntilMs, sensorId, triggerId, ownerId }: Record<string, unknown>) => {
    const until = mutedUntilMs === null ? null : Number(mutedUntilMs);
    const muting = { mutes: mutes.get(Number(ownerId)) ?? [], mutedUntilMs: until };
    return muteEndMs(muting, { sensorId: Number(sensorId), triggerId: Number(triggerId), atMs: nowMs });
  };
  return rows.map((row) => toEnd(row, isNotified(row) ? deliverAtMs(row) : null));
}

/** True if those who got a firing get the end. */
function isNotified({ notifyResolved, isAnnounced, isDeferred }: Record<string, unknown>): boolean {
  return Boolean(notifyResolved && (isAnnounced || isDeferred));
}

function toEnd(row: Record<string, unknown>, deliverAtMs: number | null): EndedEpisode {
  return {
    firingId: Number(row.firingId),
    sensorTriggerId: Number(row.sensorTriggerId),
    triggerId: Number(row.triggerId),
    triggerName: String(row.triggerName),
    ownerId: Number(row.ownerId),
    sensor: { id: Number(row.sensorId), name: String(row.sensorName), unit: unitIn(row) },
    isAnnounced: Boolean(row.isAnnounced),
    needsFiring: !row.isAnnounced || Boolean(row.isDependent),
    deliverAtMs,
  };
}

/** An acknowledged episode does not repeat. */
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
/** The next inactivity is as long as the trigger says, not as its repetition. */
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

function unitIn({ unit, displayName, dataStructure }: Record<string, unknown>): string {
  const texts = { unit: String(unit), displayName: String(displayName), dataStructure: String(dataStructure) };
  return unitOf(texts) ?? '';
}
