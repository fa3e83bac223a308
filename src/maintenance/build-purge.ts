import type { Pool } from 'mysql2/promise';
import type { Clock } from '../clock';
import type { Logger } from '../logger';
import { DegradedReceivers } from './degraded-receivers';
import { DeletedThings } from './deleted-things';
import { IdleSessions } from './idle-sessions';
import { MaintenanceCursors } from './maintenance-cursors';
import { oldHistoryTasks } from './old-history';
import { OldPoints } from './old-points';
import { Purge } from './purge';
import type { PurgeTask } from './purge-task';
import { type ClosedAccounts, historyRemovers } from './removers';

/** What the purge works on, and for how many days what is kept: 0 is for always. */
export interface PurgeSetting {
  pool: Pool;
  clock: Clock;
  logger: Logger;
  accounts: ClosedAccounts;
  dataRetentionDays: number;
  historyRetentionDays: number;
  sessionIdleDays: number;
}

/** The purge with its tasks: deleted things first, as somebody asked for that. */
export function buildPurge(setting: PurgeSetting): Purge {
  const { pool, clock, logger, accounts, dataRetentionDays, historyRetentionDays, sessionIdleDays } = setting;
  const tasks: PurgeTask[] = [new DeletedThings(pool, clock, historyRemovers(pool, clock, accounts), logger)];
  if (dataRetentionDays > 0) tasks.push(new OldPoints(pool, clock, dataRetentionDays));
  if (historyRetentionDays > 0) tasks.push(...oldHistoryTasks(pool, clock, historyRetentionDays));
  if (sessionIdleDays > 0) tasks.push(new IdleSessions(pool, clock, sessionIdleDays));
  tasks.push(new DegradedReceivers(pool, clock));
  return new Purge(new MaintenanceCursors(pool, clock), tasks, clock, logger);
}
