import { queuePrefix } from '../../jobs/queues';
import type { RedisClient } from './index';

const REDIS_WAIT_MS = 1_000;

/** Lets one of all processes do what each of them repeats: the first that asks after the last time. */
export class OncePerInterval {
  private readonly prefix: string;

  constructor(
    private readonly redis: Pick<RedisClient, 'ask'>,
    redisPrefix: string,
  ) {
    this.prefix = `${queuePrefix(redisPrefix)}:once`;
  }

  /** Whether it is this process that does the work now; nobody else then does for so many ms. Never without Redis. */
  take(work: string, forMs: number): Promise<boolean> {
    const take = this.redis.ask(REDIS_WAIT_MS, (redis) => redis.set(`${this.prefix}:${work}`, 1, 'PX', forMs, 'NX'));
    return take.then(
      (answer) => answer === 'OK',
      () => false,
    );
  }
}
