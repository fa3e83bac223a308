import { queuePrefix } from '../../jobs/queues';
import type { RedisClient } from '.';

const REDIS_WAIT_MS = 1_000;

/**
 * Lets one of all workers do what each of them repeats: the first that asks after the last time. The only worker asks nobody. One that
 * joins it is noticed after some seconds, in which both do it: so it must be harmless to do twice.
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

  /** Whether it is this process that does the work now; nobody else then does for so many ms. Never without Redis. */
  take(work: string, forMs: number): Promise<boolean> {
    if (this.redis.isReady && this.workers.latest === 1) return Promise.resolve(true);
    const take = this.redis.ask(REDIS_WAIT_MS, (redis) => redis.set(`${this.prefix}:${work}`, 1, 'PX', forMs, 'NX'));
    return take.then(
      (answer) => answer === 'OK',
      () => false,
    );
  }
}
