import type { Pool, PoolConnection } from 'mysql2/promise';
import type { DeliveryNudge } from '../../../jobs/delivery.job';
import { muteEndMs } from '../../edge/mute';
import { Batcher } from '../../platform/batcher';
import type { Clock } from '../../platform/clock';
import { partsOf } from '../../platform/parts-of';
import { readMutes } from '../../storage/mutes';
import { inPoolTransaction, type RunSql, runOn } from '../../storage/transaction';
import type { DeliveryRow } from './attempt';
import { nudgeOf } from './delivery-rows';
import { addToDigest, lockDigest } from './digests';

const DELIVERIES_PER_STATEMENT = 1_000;
const MOST_GATHERED = 10_000;
/** A delivery that was never leased. */
const IS_WAITING =
  "escalation AND after_mute AND status = 'pending' AND attempts = 0 AND lease IS NULL AND digest_id IS NULL";

/** Reading the mutes of a user takes some milliseconds. */
const LOOKS = { most: 50, atOnce: 2 };

/** Gives until when a delivery waits; null if it need not. Another mute may begin meanwhile: check again then. */
export function mutedLooks(pool: Pool, clock: Clock): Batcher<DeliveryRow, number | null> {
  return new Batcher((rows) => waitsForMutes(pool, rows, clock.now()), LOOKS);
}

async function waitsForMutes(pool: Pool, rows: readonly DeliveryRow[], nowMs: number): Promise<(number | null)[]> {
  const idsOf = new Map<number, number[]>();
  for (const { id, owner_id } of rows) idsOf.set(owner_id, [...(idsOf.get(owner_id) ?? []), id]);
  const waits = new Map<number, number>();
  for (const [ownerId, ids] of idsOf) {
    for (const [id, untilMs] of await readWaits(runOn(pool), ownerId, ids, nowMs)) waits.set(id, untilMs);
  }
  return rows.map(({ id }) => {
    const untilMs = waits.get(id) ?? nowMs;
    return untilMs > nowMs ? untilMs : null;
  });
}

async function readWaits(
  run: RunSql,
  ownerId: number,
  ids: readonly number[],
  nowMs: number,
): Promise<Map<number, number>> {
  const rows = await run(
    `SELECT d.id, d.sensor_id AS sensorId, d.trigger_id AS triggerId, st.muted_until_ms AS mutedUntilMs,
       f.fired_ms + COALESCE(LEAST(stn.after_s, tn.after_s), stn.after_s, tn.after_s, 0) * 1000 AS startMs
     FROM deliveries d
     LEFT JOIN firings f ON d.escalation AND f.id = d.firing_id
     LEFT JOIN sensor_triggers st ON st.sensor_id = d.sensor_id AND st.trigger_id = d.trigger_id
     LEFT JOIN sensor_trigger_notifications stn
       ON stn.sensor_trigger_id = st.id AND stn.notification_id = d.notification_id
     LEFT JOIN trigger_notifications tn ON tn.trigger_id = d.trigger_id AND tn.notification_id = d.notification_id
     WHERE d.id IN (?)`,
    [ids],
  );
  const mutes = (await readMutes(run, [ownerId])).get(ownerId) ?? [];
  return new Map(
    rows.map(({ id, sensorId, triggerId, mutedUntilMs, startMs }) => {
      const moment = { sensorId: Number(sensorId), triggerId: Number(triggerId), atMs: nowMs };
      const endMs = muteEndMs({ mutes, mutedUntilMs: mutedUntilMs ? Number(mutedUntilMs) : null }, moment);
      return [Number(id), Math.max(endMs, Number(startMs ?? 0))];
    }),
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
 * Gathers firings whose mutes are over. Returns the nudge of the digest, null if another worker has gathered this
 * delivery, or undefined if it goes out alone.
 */
export async function gatherMuted(
  pool: Pool,
  row: DeliveryRow,
  nowMs: number,
): Promise<DeliveryNudge | null | undefined> {
  // A worker that died with its lease may have sent it: it keeps its own id.
  if (row.lease_until_ms !== null) return undefined;
  const waiting = await runOn(pool)(
    `SELECT id FROM deliveries WHERE notification_id = ? AND ${IS_WAITING}
       AND (next_attempt_ms <= ? OR next_attempt_ms IS NULL) ORDER BY id LIMIT ?`,
    [row.notification_id, nowMs, MOST_GATHERED],
  );
  const ids = waiting.map(({ id }) => Number(id));
  if (ids.length === 1 && ids[0] === row.id) return undefined;
  const waits = await readWaits(runOn(pool), row.owner_id, [...ids, row.id], nowMs);
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
