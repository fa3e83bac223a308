import type { Pool, RowDataPacket } from 'mysql2/promise';
import { earliestInactivity, findForgottenShadow, removeOldFirings, removeShadowFirings } from '../alerts';
import { deleteKept, removeOldDeliveries, removeOldEvents } from '../notifications';
import type { Clock } from '../platform/clock';
import { removeOutages } from '../points';
import type { PurgeTask } from './purge-task';

const ROWS_PER_STEP = 1_000;
const DAY_MS = 86_400_000;

/** Counted from their end. Pending deliveries are never deleted. */
export function oldDeliveriesTask(pool: Pool, clock: Clock, retentionDays: number): PurgeTask {
  return {
    name: 'old-deliveries',
    step: (position) => removeOldDeliveries(pool, position, clock.now() - retentionDays * DAY_MS),
  };
}

/** Deletes notifications once none of their ends waits to be sent. */
export function deletedNotificationsTask(pool: Pool): PurgeTask {
  return {
    name: 'deleted-notifications',
    isIdle: async () => {
      const [some] = await pool.query<RowDataPacket[]>('SELECT id FROM deleted_notifications LIMIT 1');
      return some.length === 0;
    },
    step: async () => {
      const deleted = await deleteKept(pool, ROWS_PER_STEP);
      return stepOf(deleted);
    },
  };
}

/** Deletes the firings of shadows that are gone. */
export function forgottenShadowsTask(pool: Pool): PurgeTask {
  return {
    name: 'forgotten-shadows',
    isIdle: async () => (await findForgottenShadow(pool)) === undefined,
    step: async () => {
      const id = await findForgottenShadow(pool);
      const deleted = id === undefined ? 0 : await removeShadowFirings(pool, id, ROWS_PER_STEP);
      return { deleted, position: 0, isDone: deleted === 0 };
    },
  };
}

function stepOf(deleted: number) {
  return { deleted, position: 0, isDone: deleted < ROWS_PER_STEP };
}

/** Older than `retentionDays`. */
export function oldHistoryTasks(pool: Pool, clock: Clock, retentionDays: number): PurgeTask[] {
  const beforeMs = () => clock.now() - retentionDays * DAY_MS;
  return [
    { name: 'old-firings', step: (position) => removeOldFirings(pool, position, beforeMs()) },
    {
      name: 'old-outages',
      isIdle: async () => !(await hasRow(pool, 'outages WHERE to_ms < ?', beforeMs())),
      step: async () => {
        // An outage stays while an inactivity runs that began before its end.
        const untilMs = Math.min(beforeMs(), (await earliestInactivity(pool)) ?? beforeMs());
        return stepOf(await removeOutages(pool, untilMs, ROWS_PER_STEP));
      },
    },
    {
      name: 'old-events',
      isIdle: async () => !(await hasRow(pool, 'events WHERE retry_at_ms IS NOT NULL AND created_ms < ?', beforeMs())),
      step: async () => stepOf(await removeOldEvents(pool, beforeMs(), ROWS_PER_STEP)),
    },
  ];
}

async function hasRow(pool: Pool, what: string, beforeMs: number): Promise<boolean> {
  const [rows] = await pool.query<RowDataPacket[]>(`SELECT 1 FROM ${what} LIMIT 1`, [beforeMs]);
  return rows.length > 0;
}
