import type { Redis } from 'ioredis';
import { queuePrefix } from '../../jobs/queues';
import type { Logger } from '../logger';
import { withTimeout } from '../with-timeout';

const WINDOW_MS = 60_000;
const REDIS_WAIT_MS = 250;

/** Counts one request in its window, which begins with its first request; answers the count and what is left of it. */
const COUNT_SCRIPT = `local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1])
  redis.call('PEXPIRE', KEYS[1], left)
end
return {count, left}`;

/** Where somebody stands within the limit, this request counted. */
export interface RequestAllowance {
  limit: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
  exceeded: boolean;
}

/**
 * Counts the requests of each user, or address, per minute and over all API processes. A limit of 0 turns it off.
 * Without Redis in time nothing is counted: the limit spares us load, and is no reason to refuse work.
 */
export class RequestLimit {
  constructor(
    private readonly redis: Pick<Redis, 'eval' | 'status'>,
    private readonly redisPrefix: string,
    private readonly limit: number,
    private readonly logger: Logger,
  ) {}

  /** Counts a request of `who`; undefined when nothing was counted. */
  async count(who: string): Promise<RequestAllowance | undefined> {
    // While the connection is lost a command would wait for it.
    if (this.limit === 0 || this.redis.status !== 'ready') return undefined;
    const counted = await this.run(who);
    if (!counted) return undefined;
    const [count, leftMs] = counted;
    return {
      limit: this.limit,
      windowSeconds: WINDOW_MS / 1000,
      remaining: Math.max(0, this.limit - count),
      resetSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
      exceeded: count > this.limit,
    };
  }

  private async run(who: string): Promise<[number, number] | undefined> {
    const key = `${queuePrefix(this.redisPrefix)}:requests:${who}`;
    try {
      const counting = this.redis.eval(COUNT_SCRIPT, 1, key, WINDOW_MS);
      const answer = await withTimeout(REDIS_WAIT_MS, counting, () => new Error('Redis did not answer'));
      return answer as [number, number]; // what the script returns
    } catch (error) {
      this.logger.debug({ reason: String(error) }, 'a request was not counted');
      return undefined;
    }
  }
}
