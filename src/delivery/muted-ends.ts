import type { Pool } from 'mysql2/promise';
import { muteEndMs } from '../rules/mute';
import { partsOf } from '../rules/parts-of';
import { readMutes } from '../storage/mutes';
import { type RunSql, runOn } from '../storage/transaction';
import type { DeliveryRow } from './attempt';

const DELIVERIES_PER_STATEMENT = 1_000;

/**
 * Until when the end of an episode has to wait because its sensor trigger is muted, or null if it is not muted any more.
 * Another mute may begin before the first one is over, so this is checked again then.
 */
export async function waitForMute(
  pool: Pool,
  { owner_id: ownerId, sensor_id: sensorId, trigger_id: triggerId }: DeliveryRow,
  nowMs: number,
): Promise<number | null> {
  const run = runOn(pool);
  const [found] = await run(
    'SELECT muted_until_ms AS mutedUntilMs FROM sensor_triggers WHERE sensor_id = ? AND trigger_id = ?',
    [sensorId, triggerId],
  );
  const mutes = (await readMutes(run, [ownerId])).get(ownerId) ?? [];
  const mutedUntilMs = found?.mutedUntilMs ? Number(found.mutedUntilMs) : null;
  const moment = { sensorId: Number(sensorId), triggerId: Number(triggerId), atMs: nowMs };
  const endMs = muteEndMs({ mutes, mutedUntilMs }, moment);
  return endMs > nowMs ? endMs : null;
}

/**
 * Makes the ends due that wait for mutes of a user, in the transaction that changes or deletes one. The ends that are
 * still muted wait again when a worker checks them.
 */
export async function recheckMutedEnds(run: RunSql, ownerId: number, nowMs: number): Promise<void> {
  const rows = await run(
    `SELECT d.id FROM notifications n JOIN deliveries d ON d.notification_id = n.id AND d.status = 'pending'
     WHERE n.owner_id = ? AND d.after_mute AND d.attempts = 0 AND d.next_attempt_ms > ?`,
    [ownerId, nowMs],
  );
  for (const part of partsOf(rows, DELIVERIES_PER_STATEMENT)) {
    const ids = part.map(({ id }) => Number(id));
    await run("UPDATE deliveries SET next_attempt_ms = ? WHERE id IN (?) AND status = 'pending' AND claim IS NULL", [
      nowMs,
      ids,
    ]);
  }
}
