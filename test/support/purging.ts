import { forgottenArchivesTask } from '../../src/archives/jobs/forgotten-archives';
import { oldAuditTasks } from '../../src/audit';
import { buildPurge } from '../../src/maintenance/build-purge';
import type { Purge } from '../../src/maintenance/purge';
import type { Logger } from '../../src/platform/logger';
import type { Platform } from './platform';
import { type WatchedChange, watchPool } from './watched-pool';

/** After how many days a purge deletes things, 0 for never, and where it puts what it logs and changes. */
export interface Purging {
  data?: number;
  history?: number;
  deliveries?: number;
  sessions?: number;
  audit?: number;
  /** The age at which points are packed, in ms. */
  packedAfterMs?: number;
  log?: unknown[];
  changes?: WatchedChange[];
}

/** The purge of a worker process of its own on the same database. */
export function purgeOf(
  { container: { database, clock, services, decisionLog } }: Platform,
  {
    data = 0,
    history = 0,
    deliveries = history,
    sessions = 0,
    audit = 0,
    packedAfterMs = 0,
    log = [],
    changes = [],
  }: Purging,
): Purge {
  const pool = watchPool(database.pool, { onChange: (change) => changes.push(change) });
  return buildPurge({
    pool,
    clock,
    logger: { error: (fields: unknown) => log.push(fields) } as unknown as Logger, // all that it uses
    accounts: services.accountRemoval,
    decisionLog,
    dataRetentionDays: data,
    chunkAfterMs: packedAfterMs,
    historyRetentionDays: history,
    deliveryRetentionDays: deliveries,
    sessionIdleDays: sessions,
    ofWings: [...oldAuditTasks(pool, clock, audit), forgottenArchivesTask(pool, clock)],
  });
}
