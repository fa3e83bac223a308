import type { Pool } from 'mysql2/promise';
import type { StoredDecisions } from '../alerts';
import type { CarefulWork } from '../fairness/quarantine/careful-work';
import type { Clock } from '../platform/clock';
import type { Logger } from '../platform/logger';
import { ClosedApplications } from './closed-applications';
import { DeletedThings } from './deleted-things';
import { MaintenanceCursors } from './maintenance-cursors';
import { deletedNotificationsTask, forgottenShadowsTask, oldDeliveriesTask, oldHistoryTasks } from './old-history';
import { OldPoints } from './old-points';
import { PackOldPoints } from './pack-old-points';
import { Purge } from './purge';
import { type PurgeTask, pastRowsTask, slicesOf } from './purge-task';
import { type ClosedAccounts, historyRemovers } from './removers';
import { StreamLog } from './stream-log';

export const SLICES = 8;

export interface PurgeSetting {
  pool: Pool;
  clock: Clock;
  logger: Logger;
  /** Isolates points whose packing ends its process; absent where nothing else packs them. */
  careful?: CarefulWork;
  accounts: ClosedAccounts;
  decisionLog: StoredDecisions;
  dataRetentionDays: number;
  /** In ms; 0 never packs points. */
  chunkAfterMs: number;
  historyRetentionDays: number;
  /** At most the retention of history. */
  deliveryRetentionDays: number;
  sessionIdleDays: number;
  /** What other wings delete. */
  ofWings: readonly PurgeTask[];
}

/** Deleted things come first, because a user asked for their deletion. */
export function buildPurge(setting: PurgeSetting): Purge {
  const { pool, clock, logger, careful, accounts, decisionLog, dataRetentionDays, chunkAfterMs, sessionIdleDays } =
    setting;
  const removers = historyRemovers(pool, clock, accounts, decisionLog);
  const tasks: PurgeTask[] = slicesOf(SLICES).map((slice) => new DeletedThings(pool, clock, removers, logger, slice));
  tasks.push(...slicesOf(SLICES).map((slice) => new OldPoints(pool, clock, dataRetentionDays, slice, logger)));
  if (chunkAfterMs > 0)
    tasks.push(
      ...slicesOf(SLICES).map((slice) => new PackOldPoints(pool, clock, chunkAfterMs, slice, logger, careful)),
    );
  const { historyRetentionDays, deliveryRetentionDays } = setting;
  if (deliveryRetentionDays > 0) tasks.push(oldDeliveriesTask(pool, clock, deliveryRetentionDays));
  if (historyRetentionDays > 0) tasks.push(...oldHistoryTasks(pool, clock, historyRetentionDays));
  tasks.push(...setting.ofWings);
  if (sessionIdleDays > 0) {
    tasks.push(pastRowsTask('idle-sessions', { table: 'sessions', column: 'used_ms', days: sessionIdleDays }, setting));
  }
  tasks.push(
    // A receiver that is still degraded fails again.
    pastRowsTask('degraded-receivers', { table: 'degraded_receivers', column: 'since_ms', days: 1 }, setting),
    pastRowsTask('past-uses', { table: 'usage_counts', column: 'started_ms', days: 1 }, setting),
    pastRowsTask('past-minutes', { table: 'minute_samples', column: 'minute_ms', days: 2 }, setting),
    pastRowsTask('past-hours', { table: 'user_hours', column: 'hour_ms', days: 2 }, setting),
    pastRowsTask('past-quarantine', { table: 'quarantine', column: 'expires_ms', days: 0 }, setting),
    pastRowsTask('past-actions', { table: 'operator_actions', column: 'date_ms', days: 365 }, setting),
    deletedNotificationsTask(pool),
    forgottenShadowsTask(pool),
    new ClosedApplications(pool),
    new StreamLog(pool, clock),
  );
  const oauth = ['authorizations', 'oauth1_tokens', 'oauth1_nonces', 'oauth2_tokens', 'oauth2_grants'];
  for (const table of [...oauth, 'invitations']) {
    const name = `expired-${table.replaceAll('_', '-')}`;
    tasks.push(pastRowsTask(name, { table, column: 'expires_ms', days: 0 }, setting));
  }
  return new Purge(new MaintenanceCursors(pool, clock), tasks, clock, logger);
}
