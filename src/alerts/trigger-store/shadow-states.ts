import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { RuleEdit } from '../../access/rule-edit';
import { issueSlices } from '../../storage/slices';
import type { RunSql } from '../../storage/transaction';
import { CAUSES, type EpisodeCause } from '../rules/episode';
import type { ShadowEntry } from '../rules/sensor-state';

/** Running shadows by sensor trigger. */
export async function readShadows(
  connection: PoolConnection,
  sensorTriggers: readonly RowDataPacket[],
): Promise<Map<number, ShadowEntry>> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT w.id AS sensorTriggerId, w.state AS memory, sh.id AS shadowId, sh.until_ms AS untilMs, sh.expression,
       sh.inactivity, sh.hold, sh.repeat_after, sh.resolve_expression, sh.keep_firing_for, sh.timezone
     FROM shadow_states w JOIN trigger_shadows sh ON sh.trigger_id = w.trigger_id AND sh.ended_ms IS NULL WHERE w.id IN (?)`,
    [sensorTriggers.map(({ id }) => Number(id))],
  );
  return new Map(rows.map((row) => [Number(row.sensorTriggerId), toShadow(row)]));
}

function toShadow(row: RowDataPacket): ShadowEntry {
  const { expression, inactivity, hold, repeat_after: repeat, timezone, memory } = row;
  const { resolve_expression: resolveExpression, keep_firing_for: keepFiringFor } = row;
  const rule = { expression, inactivity, hold, repeat, resolveExpression, keepFiringFor, timezone };
  const [shadowId, sensorTriggerId] = [Number(row.shadowId), Number(row.sensorTriggerId)];
  return { shadowId, sensorTriggerId, untilMs: Number(row.untilMs), rule, memory };
}

/**
 * Begins the shadow of these sensor triggers, or of all of a trigger: the next pass gives it a state. Call it when a
 * shadow, a connection or an activation begins.
 */
export async function beginShadows(
  edit: RuleEdit,
  of: { triggerId: number } | { sensorTriggerIds: readonly number[] },
  nowMs: number,
): Promise<void> {
  const [column, ids] = 'triggerId' in of ? ['trigger_id', [of.triggerId]] : ['id', of.sensorTriggerIds];
  if (ids.length === 0) return;
  await edit.affects(of);
  const rows = await edit.run(
    `SELECT st.id, st.trigger_id AS triggerId FROM sensor_triggers st
       JOIN trigger_shadows sh ON sh.trigger_id = st.trigger_id AND sh.ended_ms IS NULL
     WHERE st.${column} IN (?) AND st.active`,
    [ids],
  );
  const begun = rows.map(({ id, triggerId }) => [Number(id), Number(triggerId), nowMs] as const);
  await issueSlices(begun, (slice) =>
    edit.run(
      `INSERT INTO shadow_states (id, trigger_id, due_ms) VALUES ?
       ON DUPLICATE KEY UPDATE due_ms = VALUES(due_ms), state = NULL`,
      [slice],
    ),
  );
}

/** Call it before the shadow is gone, and before its sensor triggers are. */
export async function endShadows(edit: RuleEdit, triggerId: number): Promise<void> {
  await edit.affects({ triggerId });
  await edit.run('DELETE FROM shadow_states WHERE trigger_id = ?', [triggerId]);
}

/** Points that the running shadow of a trigger has left out. */
export async function countUntried(run: RunSql, triggerId: number): Promise<number> {
  const sql = `SELECT SUM(JSON_EXTRACT(state, '$.untried')) AS untried FROM shadow_states WHERE trigger_id = ?`;
  const [row] = await run(sql, [triggerId]);
  return Number(row?.untried ?? 0);
}

/** Shadows of deactivated sensor triggers are due no more: otherwise each pass would look for them. */
export async function forgetInactive(run: RunSql, nowMs: number): Promise<void> {
  await run(
    'DELETE w FROM shadow_states w JOIN sensor_triggers st ON st.id = w.id WHERE w.due_ms <= ? AND NOT st.active',
    [nowMs],
  );
}

/**
 * Ends the recorded episodes of shadows whose sensor triggers are disconnected or deactivated, or whose alert a person
 * ends. In the last case, the next evaluation brings the state of the shadow in line.
 */
export async function endShadowEpisodes(
  run: RunSql,
  sensorTriggerIds: readonly number[],
  nowMs: number,
  causes: readonly EpisodeCause[] = CAUSES,
): Promise<void> {
  if (sensorTriggerIds.length === 0) return;
  await run(
    `UPDATE shadow_firings SET ended_ms = ?
     WHERE sensor_trigger_id IN (?) AND ended_ms IS NULL AND fired_ms = episode_ms AND reason IN (?)`,
    [nowMs, sensorTriggerIds, causes],
  );
}

/** A shadow that is gone and has firings left; undefined if there is none. */
export async function findForgottenShadow(pool: Pool): Promise<number | undefined> {
  const [[forgotten]] = await pool.query<RowDataPacket[]>(
    `SELECT f.shadow_id AS id FROM (SELECT DISTINCT shadow_id FROM shadow_firings) f
       LEFT JOIN trigger_shadows sh ON sh.id = f.shadow_id WHERE sh.id IS NULL LIMIT 1`,
  );
  return forgotten && Number(forgotten.id);
}

/** Returns the number of removed rows. */
export async function removeShadowFirings(pool: Pool, shadowId: number, most: number): Promise<number> {
  const sql = 'DELETE FROM shadow_firings WHERE shadow_id = ? LIMIT ?';
  const [result] = await pool.query<ResultSetHeader>(sql, [shadowId, most]);
  return result.affectedRows;
}
