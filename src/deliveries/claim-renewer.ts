import type { Pool } from 'mysql2/promise';
import type { Clock } from '../clock';

/** A claim that nobody has renewed for this long has lost its worker. Long enough for a restart of MySQL. */
export const CLAIM_MS = 8_000;
const RENEW_MS = 2_000;
/** No channel takes longer for an attempt: whatever does will never end. */
const LONGEST_MS = 45_000;

interface Kept {
  deliveryId: number;
  sinceMs: number;
}

/**
 * Renews the claims of this process while their attempts are under way, all in one statement. So a claim can be short, and
 * what a dead worker held is soon free, however long attempts may take. Most are over before the first renewal.
 */
export class ClaimRenewer {
  private readonly kept = new Map<number, Kept>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /** From now on the claim is renewed, until it is let go. */
  keep(token: number, deliveryId: number): void {
    this.kept.set(token, { deliveryId, sinceMs: performance.now() });
    // When one renewal fails, the next ones come before the claim ends.
    this.timer ??= setInterval(() => this.renew().catch(() => undefined), RENEW_MS).unref();
  }

  release(token: number): void {
    this.kept.delete(token);
    if (this.kept.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async renew(): Promise<void> {
    const nowMs = performance.now();
    const [tokens, ids]: [number[], number[]] = [[], []];
    for (const [token, { deliveryId, sinceMs }] of this.kept) {
      if (nowMs - sinceMs < RENEW_MS / 2 || nowMs - sinceMs > LONGEST_MS) continue;
      tokens.push(token);
      ids.push(deliveryId);
    }
    if (ids.length === 0) return;
    await this.pool.query('UPDATE deliveries SET claimed_until_ms = ? WHERE id IN (?) AND claim IN (?)', [
      this.clock.now() + CLAIM_MS,
      ids,
      tokens,
    ]);
  }
}
