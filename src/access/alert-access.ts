import { InvalidInput } from '../platform/errors';
import { findKnownNames } from '../storage/known-users';
import { safeId } from '../storage/sensor-visibility';
import type { RunSql } from '../storage/transaction';

// Nothing is cached: a revoked right is gone with the next statement.

export type AlertRight = 'see' | 'handle';

const RIGHTS: Readonly<Record<AlertRight, string>> = {
  see: 'm.see_alerts = TRUE',
  handle: 'm.see_alerts = TRUE AND m.handle_alerts = TRUE',
};

/** The only place that decides who sees alerts of others. `m` is the membership of the viewer, `t` the trigger. */
function othersFrom(right: AlertRight): string {
  return `FROM group_users m
     JOIN triggers t ON t.group_id = m.group_id AND t.owner_id <> m.user_id
     JOIN group_users o ON o.group_id = t.group_id AND o.user_id = t.owner_id AND o.accepted = TRUE
     JOIN users u ON u.id = t.owner_id AND u.closed_ms IS NULL AND u.disabled_ms IS NULL
   WHERE m.accepted = TRUE AND ${RIGHTS[right]}
     AND NOT EXISTS (SELECT 1 FROM user_blocks b WHERE b.user_id = m.user_id AND b.blocked_id = t.owner_id)
     AND NOT EXISTS (SELECT 1 FROM user_blocks b WHERE b.user_id = t.owner_id AND b.blocked_id = m.user_id)`;
}

/** Selects `id` and `owner_id`. */
export function triggersOfOthersSql(userId: number, right: AlertRight): string {
  return `SELECT t.id, t.owner_id ${othersFrom(right)} AND m.user_id = ${safeId(userId)}`;
}

/** Ids by owner; most users have none. */
export async function readTriggersOfOthers(
  run: RunSql,
  userId: number,
  right: AlertRight,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const found = new Map<number, number[]>();
  for (const { id, owner_id: owner } of await run(triggersOfOthersSql(userId, right), [])) {
    const ids = found.get(Number(owner));
    if (ids) ids.push(Number(id));
    else found.set(Number(owner), [Number(id)]);
  }
  return found;
}

export type SeenTriggers = ReadonlyMap<number, number>;

/** By user. */
export async function readSeenTriggers(run: RunSql, userIds: readonly number[]): Promise<Map<number, SeenTriggers>> {
  const seen = new Map(userIds.map((id) => [id, new Map<number, number>()]));
  if (userIds.length === 0) return seen;
  const sql = `SELECT m.user_id AS userId, t.id, t.owner_id AS ownerId ${othersFrom('see')} AND m.user_id IN (?)`;
  for (const { userId, id, ownerId } of await run(sql, [userIds])) {
    seen.get(Number(userId))?.set(Number(id), Number(ownerId));
  }
  return seen;
}

/** Selects ids of firings `f`, each once; the values of `where`, a condition on them, are taken twice. */
export function seenFiringsSql(userId: number, where: string): string {
  return `SELECT f.id FROM firings f WHERE f.owner_id = ${safeId(userId)} AND ${where}
   UNION ALL SELECT f.id FROM (${triggersOfOthersSql(userId, 'see')}) v
     JOIN firings f ON f.owner_id = v.owner_id AND f.trigger_id = v.id WHERE ${where}`;
}

/** False for most users. */
export async function isInTeam(run: RunSql, userId: number): Promise<boolean> {
  const sql = 'SELECT 1 FROM group_users WHERE user_id = ? AND accepted = TRUE AND see_alerts = TRUE LIMIT 1';
  return (await run(sql, [userId])).length > 0;
}

/** False for the user's own triggers. */
export async function mayForOthers(
  run: RunSql,
  userId: number,
  triggerId: number,
  right: AlertRight,
): Promise<boolean> {
  const rows = await run(`SELECT 1 FROM (${triggersOfOthersSql(userId, right)}) v WHERE v.id = ?`, [triggerId]);
  return rows.length > 0;
}

/**
 * True for users who see the alert and whose names the user `byId` knows: trying ids must not reveal members who hide
 * theirs.
 */
export async function mayBeAssigned(
  run: RunSql,
  userId: number,
  { triggerId, ownerId, byId }: { triggerId: number; ownerId: number; byId: number },
): Promise<boolean> {
  const open = 'SELECT 1 FROM users WHERE id = ? AND closed_ms IS NULL AND disabled_ms IS NULL';
  if ((await run(open, [userId])).length === 0) return false;
  if (userId === ownerId) return true;
  if (!(await mayForOthers(run, userId, triggerId, 'see'))) return false;
  return userId === byId || (await findKnownNames(run, byId, [userId])).has(userId) || accepts(run, byId, triggerId);
}

/** Members who accept others into the group of the trigger know their names. */
async function accepts(run: RunSql, userId: number, triggerId: number): Promise<boolean> {
  const sql = `SELECT 1 FROM triggers t JOIN group_users m ON m.group_id = t.group_id
    WHERE t.id = ? AND m.user_id = ? AND m.accepted = TRUE AND m.add_users = TRUE`;
  return (await run(sql, [triggerId, userId])).length > 0;
}

/** Unknown users get the same. */
export function seesNot(): InvalidInput {
  return InvalidInput.field('user_id', 'must be the id of a user who sees this alert');
}

/** Joining again does not show them. Returns the triggers. */
export async function endGroupAlerts(
  run: RunSql,
  { groupId, userId }: { groupId: number; userId: number },
): Promise<{ id: number; name: string }[]> {
  const values = [groupId, userId];
  const shown = await run('SELECT id, name FROM triggers WHERE group_id = ? AND owner_id = ? FOR UPDATE', values);
  if (shown.length > 0) await run('UPDATE triggers SET group_id = NULL WHERE group_id = ? AND owner_id = ?', values);
  return shown.map(({ id, name }) => ({ id: Number(id), name: String(name) }));
}
