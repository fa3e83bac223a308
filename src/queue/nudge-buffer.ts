import { Batcher } from '../platform/batcher';
import type { Logger } from '../platform/logger';
import { partsOf } from '../platform/parts-of';
import { withTimeout } from '../platform/with-timeout';
import type { RedisClient } from '.';
import { NUDGE_WAIT_MS, NUDGES_PER_COMMAND, WAITING_NUDGES } from './knobs';

type Keyed<T> = readonly [key: string | number, nudge: T];

interface Given<T> {
  nudges: readonly Keyed<T>[];
  /** How long others gather after these, in ms. */
  lingerMs: number;
}

/** One flush at a time sends one nudge of each key: an outage of Redis costs bounded memory. */
export class NudgeBuffer<T> {
  private readonly flushes: Batcher<Given<T>, void>;
  private waiting = 0;
  private isOverdue = false;
  private dropped = 0;

  constructor(
    private readonly queue: string,
    private readonly redis: Pick<RedisClient, 'isReady'>,
    private readonly send: (nudges: T[]) => Promise<void>,
    private readonly logger: Logger,
  ) {
    const lingerMs = (given: readonly Given<T>[]) => Math.min(...given.map((one) => one.lingerMs));
    const limits = { most: Number.POSITIVE_INFINITY, atOnce: 1, lingerMs };
    this.flushes = new Batcher((given) => this.flush(given.flatMap((one) => one.nudges)), limits);
  }

  /** Resolves once the nudges are enqueued or dropped, or after two seconds. The first nudge of a key counts. */
  async add(nudges: Iterable<Keyed<T>>, lingerMs = 0): Promise<void> {
    const given = [...nudges];
    if (given.length === 0) return;
    if (!this.redis.isReady) return this.drop(given.length, 'Redis is not connected');
    if (this.waiting > 0 && this.waiting + given.length > WAITING_NUDGES)
      return this.drop(given.length, 'too many wait');
    this.waiting += given.length;
    const flushed = this.flushes.add({ nudges: given, lingerMs });
    if (this.isOverdue) return;
    await withTimeout(NUDGE_WAIT_MS, flushed).catch(() => {
      this.isOverdue = true;
    });
  }

  private async flush(given: readonly Keyed<T>[]): Promise<[]> {
    this.waiting -= given.length;
    const nudges = new Map<string | number, T>();
    for (const [key, nudge] of given) if (!nudges.has(key)) nudges.set(key, nudge);
    let sent = 0;
    try {
      for (const part of partsOf([...nudges.values()], NUDGES_PER_COMMAND)) {
        await this.send(part);
        sent += part.length;
      }
      this.noteSuccess();
    } catch (error) {
      this.drop(nudges.size - sent, String(error));
    }
    this.isOverdue = false;
    return [];
  }

  private noteSuccess(): void {
    if (this.dropped > 0) this.logger.info({ queue: this.queue, dropped: this.dropped }, 'nudges reach Redis again');
    this.dropped = 0;
  }

  private drop(count: number, reason: string): void {
    if (this.dropped === 0) {
      this.logger.warn({ queue: this.queue, reason }, 'nudges are lost; the reconciler will enqueue them again');
    }
    this.dropped += count;
  }
}
