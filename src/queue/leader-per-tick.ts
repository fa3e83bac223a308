import { queuePrefix } from '../../jobs/queues';
import type { RedisClient } from '.';

const REDIS_WAIT_MS = 1_000;

/**
 * Elects the worker that does a repeated task: the first that asks after the previous run. A single worker asks no
 * other. A worker that joins it is noticed after some seconds, during which both do the task. So the task must be
 * idempotent.
 */
export class LeaderPerTick {
  private readonly prefix: string;

  constructor(
    private readonly redis: Pick<RedisClient, 'ask' | 'isReady'>,
    redisPrefix: string,
    private readonly workers: { readonly latest: number | undefined },
  ) {
    this.prefix = `${queuePrefix(redisPrefix)}:once`;
  }

  /**
   * True if this process does the work now; no other process does it for the next `forMs`. Always false without Redis.
   */
  take(work: string, forMs: number): Promise<boolean> {
    if (this.redis.isReady && this.workers.latest === 1) return Promise.resolve(true);
    const take = this.redis.ask(REDIS_WAIT_MS, (redis) => redis.set(`${this.prefix}:${work}`, 1, 'PX', forMs, 'NX'));
    return take.then(
      (answer) => answer === 'OK',
      () => false,
    );
  }
}
