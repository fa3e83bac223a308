import type { PoolConnection, ResultSetHeader } from 'mysql2/promise';
import { raiseEvents } from '../../events/event-log';
import { runOn } from '../../storage/transaction';
import { kindOf } from '../kinds';
import type { DeliveryRow } from './attempt';
import { type HealthEffects, NO_EFFECTS } from './destination-health';
import { insertNotice } from './owner-notices';

/** With more precision, deliveries would wait for the row of their notification. */
const PRECISION_MS = 60_000;

/** Records to the minute when something last arrived. A delivery to an earlier destination proves nothing. */
export async function recordProofs(
  connection: PoolConnection,
  delivered: readonly DeliveryRow[],
  nowMs: number,
): Promise<void> {
  const outdated = delivered.filter(
    (row) =>
      !kindOf(row).isForOwner &&
      row.destination === row.present_destination &&
      (row.proven_ms === null || nowMs - row.proven_ms >= PRECISION_MS),
  );
  const ids = [...new Set(outdated.map(({ notification_id: id }) => id))];
  if (ids.length === 0) return;
  await connection.query(
    'UPDATE notifications SET proven_ms = ? WHERE id IN (?) AND (proven_ms IS NULL OR proven_ms < ?)',
    [nowMs, ids, nowMs],
  );
}

/**
 * Raises an event each time, and sends a mail once until something arrives again. Does nothing if the notification was
 * disabled or deleted meanwhile.
 */
export async function followFailedProbe(
  connection: PoolConnection,
  row: DeliveryRow,
  nowMs: number,
): Promise<HealthEffects> {
  if (!row.enabled || row.destination !== row.present_destination) return NO_EFFECTS;
  const event = { name: 'probe_failed', subjectId: row.notification_id, userId: row.owner_id } as const;
  const raised = await raiseEvents(runOn(connection), [event], nowMs);
  const [{ affectedRows }] = await connection.query<ResultSetHeader>(
    `UPDATE notifications SET probe_warned_ms = ? WHERE id = ? AND (probe_warned_ms IS NULL
       OR probe_warned_ms < GREATEST(COALESCE(failing_since_ms, 0), COALESCE(proven_ms, 0)))`,
    [nowMs, row.notification_id],
  );
  const mails = affectedRows === 0 ? [] : await insertNotice(connection, row, { kind: 'probe-failed' }, nowMs);
  return { mails, isOff: false, hasEvents: raised.length > 0 };
}
