import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { QueryTypes, type Sequelize } from 'sequelize';
import { isTransient } from '../mysql-errors';
import { hasTable } from './record';

/** How long the lease lasts without a renewal, and how other processes wait for it, in milliseconds. */
export interface LeaseTimes {
  leaseMs: number;
  /** How long a process waits for the lease before it fails. */
  waitMs: number;
  /** The average pause between two tries to take it. */
  pollMs: number;
}

export const LEASE_TIMES: LeaseTimes = { leaseMs: 15_000, waitMs: 60_000, pollMs: 250 };

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS migration_lease (
  id TINYINT UNSIGNED NOT NULL, owner VARCHAR(255) NOT NULL, lease_until DATETIME(3) NOT NULL, PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`;
const RENEWALS_PER_LEASE = 3;
const FREE = "owner = '', lease_until = '1970-01-02'";

/**
 * The exclusive right to migrate: one row with an owner and an expiry by MySQL's clock. Unlike GET_LOCK it holds on every
 * node of a cluster; it expires when its owner is killed.
 */
export class MigrationLease {
  private readonly owner = `${hostname()} ${process.pid} ${randomUUID()}`;
  /** In the time of `performance.now()`; never later than the expiry by MySQL's clock. */
  private heldUntilMs = 0;
  private isReleased = false;
  private timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly sequelize: Sequelize,
    private readonly leaseMs: number,
  ) {}

  /** Takes the lease and renews it until `release`; null while another process holds it. */
  static async take(sequelize: Sequelize, leaseMs: number): Promise<MigrationLease | null> {
    // Those who wait ask again and again; on a cluster a statement that defines a table stops every server for a moment.
    if (!(await hasTable(sequelize, 'migration_lease'))) await sequelize.query(CREATE_TABLE);
    const lease = new MigrationLease(sequelize, leaseMs);
    try {
      await sequelize.query(`INSERT IGNORE INTO migration_lease SET id = 1, ${FREE}`);
      if (!(await lease.extend('lease_until < UTC_TIMESTAMP(3)'))) return null;
    } catch (error) {
      if (isTransient(error)) return null; // a cluster reports a lost race as a deadlock
      throw error;
    }
    lease.renewLater();
    return lease;
  }

  /** Throws when another process has taken the lease, or may have, because it could not be renewed in time. */
  async ensureHeld(): Promise<void> {
    if (performance.now() < this.heldUntilMs || (await this.renew())) return;
    throw new Error('the migration lease expired while this process was paused or could not reach MySQL');
  }

  /** Lets the next process migrate at once. */
  async release(): Promise<void> {
    this.isReleased = true;
    clearTimeout(this.timer);
    await this.sequelize.query(`UPDATE migration_lease SET ${FREE} WHERE owner = ?`, { replacements: [this.owner] });
  }

  private renewLater(): void {
    this.timer = setTimeout(async () => {
      await this.renew().catch(() => false); // `ensureHeld` finds out whether that matters
      if (!this.isReleased) this.renewLater();
    }, this.leaseMs / RENEWALS_PER_LEASE);
  }

  /** An expired lease can still be renewed until another process takes it. */
  private renew(): Promise<boolean> {
    return this.extend('owner = :owner');
  }

  private async extend(condition: string): Promise<boolean> {
    const askedAtMs = performance.now();
    const [, changed] = await this.sequelize.query(
      `UPDATE migration_lease
       SET owner = :owner, lease_until = UTC_TIMESTAMP(3) + INTERVAL :leaseMicroseconds MICROSECOND
       WHERE id = 1 AND ${condition}`,
      { type: QueryTypes.UPDATE, replacements: { owner: this.owner, leaseMicroseconds: this.leaseMs * 1000 } },
    );
    if (changed === 1) this.heldUntilMs = askedAtMs + this.leaseMs;
    return changed === 1;
  }
}
