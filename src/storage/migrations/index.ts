import { setTimeout as sleep } from 'node:timers/promises';
import type { Sequelize } from 'sequelize';
import { isTransient } from '../mysql-errors';
import { migrations } from './all';
import { createBaseline } from './baseline';
import { LEASE_TIMES, type LeaseTimes, MigrationLease } from './lease';
import { migrator } from './migrator';
import { MigrationRecord } from './record';

/**
 * Brings the schema up to date. Safe to call from many processes at the same time: one migrates, the others wait, and fail
 * after `waitMs`. If the process is killed, the next one continues from there as soon as the lease has expired. A database
 * that was made before version 0.1.0 is refused.
 */
export async function migrate(sequelize: Sequelize, times: LeaseTimes = LEASE_TIMES): Promise<void> {
  const deadlineMs = performance.now() + times.waitMs;
  for (;;) {
    const obstacle = await tryToMigrate(sequelize, times);
    if (!obstacle) return;
    if (performance.now() > deadlineMs) throw obstacle;
    await sleep(times.pollMs * (0.5 + Math.random()));
  }
}

/** Whether every known migration has been applied. It only reads: probes ask several times a minute. */
export async function isMigrated(sequelize: Sequelize): Promise<boolean> {
  const applied = new Set(await new MigrationRecord(sequelize).executed());
  return migrations.every(({ name }) => applied.has(name));
}

/**
 * Migrates if it is necessary. Returns what was in the way for the moment: another process migrates, or MySQL refused a statement
 * that may succeed the next time, as a cluster refuses one of two that meet on different servers. Every step can be repeated.
 */
async function tryToMigrate(sequelize: Sequelize, { leaseMs, waitMs }: LeaseTimes): Promise<Error | undefined> {
  try {
    if (await isMigrated(sequelize)) return undefined;
    const lease = await MigrationLease.take(sequelize, leaseMs);
    if (!lease) return new Error(`another process has been migrating for ${waitMs / 1000} seconds`);
    await migrateUnder(lease, sequelize);
    return undefined;
  } catch (error) {
    // The migrator wraps what a migration throws.
    if (error instanceof Error && isTransient(error.cause ?? error)) return error;
    throw error;
  }
}

async function migrateUnder(lease: MigrationLease, sequelize: Sequelize): Promise<void> {
  try {
    await lease.ensureHeld();
    await refuseUnknown(new MigrationRecord(sequelize));
    await (await migrator(sequelize, () => lease.ensureHeld())).up();
  } finally {
    await lease.release().catch(() => undefined); // it also expires
  }
}

async function refuseUnknown(record: MigrationRecord): Promise<void> {
  const applied = await record.executed();
  if (applied.length === 0 || applied.includes(createBaseline.name)) return;
  throw new Error(
    'the database was made before version 0.1.0, the first release, and cannot be migrated: start with an empty ' +
      'database (docs/operate/upgrade.md)',
  );
}
