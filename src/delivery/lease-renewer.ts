import type { Pool } from 'mysql2/promise';
import type { Clock } from '../platform/clock';

/**
 * Expiry of a lease. A lease that has not been renewed for this long has lost its worker. Long enough to survive a
 * restart of MySQL.
 */
export const LEASE_MS = 8_000;
const RENEW_MS = 2_000;
/** Maximum duration of an attempt, whatever its channel. A longer one has hung, and its lease may expire. */
const MAX_ATTEMPT_MS = 45_000;

interface RenewedLease {
  deliveryId: number;
  sinceMs: number;
}

/**
 * Renews the leases of this process while their attempts are running, all in one statement. So leases can be short, and
 * the leases of a dead worker expire soon, however long attempts may take. Most attempts end before the first renewal.
 */
export class LeaseRenewer {
  private readonly leases = new Map<number, RenewedLease>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /** Renews the lease from now on, until it is released. */
  start(token: number, deliveryId: number): void {
    this.leases.set(token, { deliveryId, sinceMs: performance.now() });
    // If one renewal fails, the next ones still come before the lease expires.
    this.timer ??= setInterval(() => this.renew().catch(() => undefined), RENEW_MS).unref();
  }

  release(token: number): void {
    this.leases.delete(token);
    if (this.leases.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async renew(): Promise<void> {
    const nowMs = performance.now();
    const due = [...this.leases].filter(([, { sinceMs }]) => {
      const ageMs = nowMs - sinceMs;
      return ageMs >= RENEW_MS / 2 && ageMs <= MAX_ATTEMPT_MS;
    });
    if (due.length === 0) return;
    await this.pool.query('UPDATE deliveries SET claimed_until_ms = ? WHERE id IN (?) AND claim IN (?)', [
      this.clock.now() + LEASE_MS,
      due.map(([, { deliveryId }]) => deliveryId),
      due.map(([token]) => token),
    ]);
  }
}
