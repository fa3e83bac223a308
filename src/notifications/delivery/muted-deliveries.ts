import type { Pool, PoolConnection } from 'mysql2/promise';
import type { DeliveryNudge } from '../../../jobs/delivery.job';
import { type Mute, muteEndMs } from '../../edge/mute';
import { Batcher } from '../../platform/batcher';
import type { Clock } from '../../platform/clock';
import { partsOf } from '../../platform/parts-of';
import { readMutes } from '../../storage/mutes';
import { inPoolTransaction, type RunSql, runOn } from '../../storage/transaction';
import type { DeliveryRow } from './attempt';
import { IS_FREE, nudgeOf } from './delivery-rows';
import { addToDigest, lockDigest } from './digests';
import { type DependentEpisode, type Holders, noticedMs } from './held-deliveries';

const DELIVERIES_PER_STATEMENT = 1_000;
const MOST_GATHERED = 10_000;
/** A delivery that was never leased. */
const IS_WAITING =
  "escalation AND after_mute AND status = 'pending' AND attempts = 0 AND lease IS NULL AND digest_id IS NULL";

/** Reading the mutes of a user takes some milliseconds. */
const LOOKS = { most: 50, atOnce: 2 };
/** The end of what holds a delivery makes it due; other changes are noticed after this time. */
const LOOK_AGAIN_MS = 60_000;

interface Looking {
  pool: Pool;
  holders: Holders;
}

/**
 * Gives until when a delivery waits for a mute, or for an alert that holds it; null if it need not. Check again then:
 * another one may begin meanwhile.
 */
export function mutedLooks(looking: Looking, clock: Clock): Batcher<DeliveryRow, number | null> {
  return new Batcher((rows) => waitsForMutes(looking, rows, clock.now()), LOOKS);
}

async function waitsForMutes(
  looking: Looking,
  rows: readonly DeliveryRow[],
  nowMs: number,
): Promise<(number | null)[]> {
  const idsOf = new Map<number, number[]>();
  for (const { id, owner_id } of rows) idsOf.set(owner_id, [...(idsOf.get(owner_id) ?? []), id]);
  const waits = new Map<number, number>();
  for (const [ownerId, ids] of idsOf) {
    for (const [id, untilMs] of await readWaits(looking, ownerId, ids, nowMs)) waits.set(id, untilMs);
  }
  return rows.map(({ id }) => {
    const untilMs = waits.get(id) ?? nowMs;
    return untilMs > nowMs ? untilMs : null;
  });
}

/** By delivery. */
async function readWaits(
  { pool, holders }: Looking,
  ownerId: number,
  ids: readonly number[],
  nowMs: number,
): Promise<Map<number, number>> {
  const run = runOn(pool);
  const rows = await run(
    `SELECT d.id, d.sensor_id AS sensorId, d.trigger_id AS triggerId, st.muted_until_ms AS mutedUntilMs,
       e.id AS firstId, e.held_by AS heldBy, e.fired_ms AS beganMs, f.fired_ms AS firedMs,
       COALESCE(LEAST(stn.after_s, tn.after_s), stn.after_s, tn.after_s, 0) AS afterS,
       t.parent_id AS parentId, t.parent_label AS parentLabel, t.parent_wait_s AS parentWaitS
     FROM deliveries d
     LEFT JOIN firings f ON d.escalation AND f.id = d.firing_id
     LEFT JOIN firings e ON e.id = COALESCE(f.episode_id, f.id)
     LEFT JOIN triggers t ON t.id = d.trigger_id
     LEFT JOIN sensor_triggers st ON st.sensor_id = d.sensor_id AND st.trigger_id = d.trigger_id
     LEFT JOIN sensor_trigger_notifications stn
       ON stn.sensor_trigger_id = st.id AND stn.notification_id = d.notification_id
     LEFT JOIN trigger_notifications tn ON tn.trigger_id = d.trigger_id AND tn.notification_id = d.notification_id
     WHERE d.id IN (?)`,
    [ids],
  );
  const mutes = (await readMutes(run, [ownerId])).get(ownerId) ?? [];
  const waits = new Map(rows.map((row) => [Number(row.id), Math.max(mutedUntil(row, mutes, nowMs), startMs(row))]));
  const due = rows.filter(({ id, parentId }) => parentId && (waits.get(Number(id)) ?? 0) <= nowMs);
  const episodes = new Map(due.flatMap((row) => (row.firstId ? [[Number(row.firstId), dependentOf(row)]] : [])));
  const held = episodes.size === 0 ? new Set() : await holders.hold(ownerId, [...episodes.values()], nowMs);
  for (const { id, firstId } of due) if (held.has(Number(firstId))) waits.set(Number(id), nowMs + LOOK_AGAIN_MS);
  return waits;
}

type WaitRow = Record<string, unknown>;

function mutedUntil({ sensorId, triggerId, mutedUntilMs }: WaitRow, mutes: readonly Mute[], nowMs: number): number {
  const moment = { sensorId: Number(sensorId), triggerId: Number(triggerId), atMs: nowMs };
  return muteEndMs({ mutes, mutedUntilMs: mutedUntilMs ? Number(mutedUntilMs) : null }, moment);
}

/** The `after` of the notification, and the time in which the other trigger may fire. */
function startMs({ firstId, beganMs, firedMs, afterS, parentId, parentWaitS }: WaitRow): number {
  if (!firstId) return 0;
  const afterMs = Number(beganMs) + Number(afterS) * 1000;
  return parentId ? Math.max(afterMs, noticedMs(Number(beganMs), Number(firedMs), Number(parentWaitS))) : afterMs;
}

function dependentOf({ firstId, sensorId, parentId, parentLabel, heldBy }: WaitRow): DependentEpisode {
  return {
    firstId: Number(firstId),
    sensorId: Number(sensorId),
    parentId: Number(parentId),
    label: parentLabel === null ? null : String(parentLabel),
    heldBy: heldBy === null ? null : Number(heldBy),
  };
}

/** Waits again, unless something else has made the delivery due meanwhile. A critical one is late that much later. */
export async function waitAgain(pool: Pool, { id, next_attempt_ms }: DeliveryRow, untilMs: number, nowMs: number) {
  await pool.query(
    `UPDATE deliveries SET late_ms = late_ms - next_attempt_ms + ?, next_attempt_ms = ?, waits_for = NULL
     WHERE id = ? AND status = 'pending' AND next_attempt_ms = ? AND ${IS_FREE}`,
    [untilMs, untilMs, id, next_attempt_ms, nowMs],
  );
}

/** Requires the transaction that changes or deletes a mute. What is still muted waits again. */
export async function recheckMuted(run: RunSql, ownerId: number, nowMs: number): Promise<void> {
  const rows = await run(
    `SELECT d.id FROM notifications n JOIN deliveries d ON d.notification_id = n.id AND d.status = 'pending'
     WHERE n.owner_id = ? AND d.after_mute AND d.attempts = 0 AND d.digest_id IS NULL AND d.next_attempt_ms > ?`,
    [ownerId, nowMs],
  );
  for (const part of partsOf(rows, DELIVERIES_PER_STATEMENT)) {
    const ids = part.map(({ id }) => Number(id));
    await run("UPDATE deliveries SET next_attempt_ms = ? WHERE id IN (?) AND status = 'pending' AND lease IS NULL", [
      nowMs,
      ids,
    ]);
  }
}

/**
 * Gathers firings whose mutes are over, or that nothing holds any more. Returns the nudge of the digest, null if another
 * worker has gathered this delivery, or undefined if it goes out alone.
 */
export async function gatherMuted(
  looking: Looking,
  row: DeliveryRow,
  nowMs: number,
): Promise<DeliveryNudge | null | undefined> {
  const { pool } = looking;
  // A worker that died with its lease may have sent it: it keeps its own id.
  if (row.lease_until_ms !== null) return undefined;
  const waiting = await runOn(pool)(
    `SELECT d.id FROM deliveries d JOIN firings f ON f.id = d.firing_id
     JOIN firings e ON e.id = COALESCE(f.episode_id, f.id) AND (e.muted OR e.held_by IS NOT NULL)
     WHERE d.notification_id = ? AND ${IS_WAITING} AND (next_attempt_ms <= ? OR next_attempt_ms IS NULL)
     ORDER BY d.id LIMIT ?`,
    [row.notification_id, nowMs, MOST_GATHERED],
  );
  const ids = waiting.map(({ id }) => Number(id));
  // Nothing has held it back: it waited in case that something would.
  if (!ids.includes(row.id) && ids.length < MOST_GATHERED) return undefined;
  if (ids.length === 1) return undefined;
  const waits = await readWaits(looking, row.owner_id, [...ids, row.id], nowMs);
  const due = ids.filter((id) => (waits.get(id) ?? 0) <= nowMs);
  return inPoolTransaction(pool, (connection) => gather(connection, row, due, nowMs));
}

async function gather(
  connection: PoolConnection,
  row: DeliveryRow,
  due: readonly number[],
  nowMs: number,
): Promise<DeliveryNudge | null | undefined> {
  const run = runOn(connection);
  // The end of an episode may delete its delivery at the same moment.
  const locked = await run(`SELECT id FROM deliveries WHERE id IN (?) AND ${IS_WAITING} ORDER BY id FOR UPDATE`, [
    [...due, row.id],
  ]);
  const ids = locked.map(({ id }) => Number(id));
  if (!ids.includes(row.id)) return null;
  if (ids.length === 1) return undefined;
  const digest = { minuteMs: nowMs, dueMs: nowMs, nowMs, afterMute: true };
  const digestId = await lockDigest(connection, row, digest);
  if (digestId === null) return undefined;
  for (const part of partsOf(ids, DELIVERIES_PER_STATEMENT)) await addToDigest(run, digestId, part, nowMs);
  return nudgeOf({ ...row, id: digestId, priority: 0, kind: 'digest' });
}
