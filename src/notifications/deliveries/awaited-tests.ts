import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'mysql2/promise';
import { runOn } from '../../storage/transaction';

/** Maximum number of requests that wait for the attempts of tests. */
const PER_USER = 3;
const PER_PROCESS = 300;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 500;

export interface TestAttempt {
  statusCode: number | null;
  /** Null if the attempt did not fail. */
  error: string | null;
  responseBody: string | null;
}

export class AwaitedTests {
  private readonly waiting = new Map<number, number>();
  private total = 0;

  constructor(private readonly pool: Pool) {}

  /**
   * Waits up to `waitMs`, until the signal is aborted. Undefined if there is no attempt by then. Does not wait if too
   * many requests of the user wait already.
   */
  async firstAttempt(
    userId: number,
    deliveryId: number,
    { waitMs, signal }: { waitMs: number; signal: AbortSignal },
  ): Promise<TestAttempt | undefined> {
    const own = this.waiting.get(userId) ?? 0;
    if (own >= PER_USER || this.total >= PER_PROCESS) return this.read(userId, deliveryId);
    this.count(userId, 1);
    try {
      return await this.poll(userId, deliveryId, performance.now() + waitMs, signal);
    } finally {
      this.count(userId, -1);
    }
  }

  private async poll(
    userId: number,
    deliveryId: number,
    untilMs: number,
    signal: AbortSignal,
  ): Promise<TestAttempt | undefined> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const found = await this.read(userId, deliveryId);
      const leftMs = untilMs - performance.now();
      if (found || leftMs <= 0 || signal.aborted) return found;
      await sleep(Math.min(pauseMs, leftMs), undefined, { signal }).catch(() => undefined);
    }
  }

  private async read(userId: number, deliveryId: number): Promise<TestAttempt | undefined> {
    const [row] = await runOn(this.pool)(
      `SELECT a.status_code AS statusCode, a.error, a.response_body AS responseBody
       FROM deliveries d JOIN delivery_attempts a ON a.delivery_id = d.id
       WHERE d.id = ? AND d.owner_id = ? ORDER BY a.id LIMIT 1`,
      [deliveryId, userId],
    );
    return row && (row as unknown as TestAttempt); // the columns of the statement
  }

  private count(userId: number, sign: 1 | -1): void {
    const own = (this.waiting.get(userId) ?? 0) + sign;
    this.total += sign;
    if (own > 0) this.waiting.set(userId, own);
    else this.waiting.delete(userId);
  }
}
