import type { Logger } from '../platform/logger';
import { withTimeout } from '../platform/with-timeout';
import type { RedisClient } from '.';

const WAIT_MS = 2_000;
const PER_COMMAND = 1_000;
/** Maximum number of nudges that wait during a flush. More are dropped, and the reconciler enqueues them again. */
const CAPACITY = 10_000;

/**
 * Buffers the nudges of one queue. One flush runs at a time. Later nudges are deduplicated and collected for the next
 * flush, which follows after a linger. So an outage of Redis costs a bounded amount of memory, however long it lasts.
 */
export class NudgeBuffer<T> {
  private waiting = new Batch<T>();
  private isFlushing = false;
  private isOverdue = false;
  /** Number of nudges dropped since the last successful flush. */
  private dropped = 0;

  constructor(
    private readonly queue: string,
    private readonly redis: Pick<RedisClient, 'isReady'>,
    private readonly send: (nudges: T[]) => Promise<void>,
    private readonly logger: Logger,
    /** The linger after a flush. `inARow`: how many flushes have followed each other, each at the end of a linger. */
    private readonly pauseMs: (inARow: number) => number = () => 0,
  ) {}

  /**
   * Resolves once the nudges are enqueued or dropped, or after two seconds. Never rejects. The first of several nudges
   * with the same key counts.
   */
  async add(nudges: Iterable<readonly [key: string | number, nudge: T]>): Promise<void> {
    const given = [...nudges];
    if (given.length === 0) return;
    if (!this.redis.isReady) return this.drop(given.length, 'Redis is not connected');
    const { flushed } = this.collect(given);
    if (!this.isFlushing) void this.flushAll();
    if (this.isOverdue) return;
    await withTimeout(WAIT_MS, flushed).catch(() => {
      // No other caller waits for a flush that takes this long.
      this.isOverdue = this.isFlushing;
    });
  }

  /** Adds them to the batch that the next flush takes. */
  private collect(given: readonly (readonly [string | number, T])[]): Batch<T> {
    const { nudges } = this.waiting;
    let dropped = 0;
    for (const [key, nudge] of given) {
      if (nudges.has(key)) continue;
      if (this.isFlushing && nudges.size >= CAPACITY) dropped += 1;
      else nudges.set(key, nudge);
    }
    if (dropped > 0) this.drop(dropped, 'too many wait for Redis');
    return this.waiting;
  }

  private async flushAll(): Promise<void> {
    this.isFlushing = true;
    for (let inARow = 1; this.waiting.nudges.size > 0; inARow += 1) {
      const batch = this.waiting;
      this.waiting = new Batch();
      await this.flush([...batch.nudges.values()]);
      this.isOverdue = false;
      batch.resolve();
      const pauseMs = this.pauseMs(inARow);
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    this.isFlushing = false;
  }

  private async flush(nudges: readonly T[]): Promise<void> {
    for (let start = 0; start < nudges.length; start += PER_COMMAND) {
      try {
        await this.send(nudges.slice(start, start + PER_COMMAND));
      } catch (error) {
        return this.drop(nudges.length - start, String(error));
      }
    }
    if (this.dropped === 0) return;
    this.logger.info({ queue: this.queue, dropped: this.dropped }, 'nudges reach Redis again');
    this.dropped = 0;
  }

  private drop(count: number, reason: string): void {
    if (this.dropped === 0) {
      this.logger.warn({ queue: this.queue, reason }, 'nudges are lost; the reconciler will enqueue them again');
    }
    this.dropped += count;
  }
}

/** The nudges of one flush, by key. */
class Batch<T> {
  readonly nudges = new Map<string | number, T>();
  readonly flushed: Promise<void>;
  resolve: () => void = () => undefined;

  constructor() {
    this.flushed = new Promise((resolve) => {
      this.resolve = resolve;
    });
  }
}
