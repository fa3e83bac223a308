import { queuePrefix } from '../../jobs/queues';
import type { Allowance } from '../platform/errors';
import type { Logger } from '../platform/logger';
import type { RedisClient } from '../queue';

const REDIS_WAIT_MS = 250;

/** Counts one request in its window, which begins with its first request. Returns the count and the time left (ms). */
const COUNT_SCRIPT = `local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1])
  redis.call('PEXPIRE', KEYS[1], left)
end
return {count, left}`;

/** The remaining allowance after this request. */
export interface RequestAllowance extends Allowance {
  exceeded: boolean;
}

/**
 * Counts the requests of each user or address per window (a minute by default), across all API processes. A limit of 0
 * turns it off. If Redis does not answer in time, nothing is counted: the limit protects against load, and is no reason
 * to refuse work.
 */
export class RequestLimit {
  constructor(
    private readonly redis: Pick<RedisClient, 'ask'>,
    private readonly redisPrefix: string,
    private readonly limit: number,
    private readonly logger: Logger,
    private readonly windowMs = 60_000,
  ) {}

  get isOn(): boolean {
    return this.limit > 0;
  }

  /** Counts a request of a client, which is a user or an address. Returns undefined if nothing was counted. */
  async count(client: string): Promise<RequestAllowance | undefined> {
    if (!this.isOn) return undefined;
    const counted = await this.run(client);
    if (!counted) return undefined;
    const [count, leftMs] = counted;
    return {
      limit: this.limit,
      windowSeconds: this.windowMs / 1000,
      remaining: Math.max(0, this.limit - count),
      resetSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
      exceeded: count > this.limit,
    };
  }

  private async run(client: string): Promise<[number, number] | undefined> {
    const key = `${queuePrefix(this.redisPrefix)}:requests:${client}`;
    try {
      const answer = await this.redis.ask(REDIS_WAIT_MS, (redis) => redis.eval(COUNT_SCRIPT, 1, key, this.windowMs));
      return answer as [number, number]; // the result of the script
    } catch (error) {
      this.logger.debug({ reason: String(error) }, 'a request was not counted');
      return undefined;
    }
  }
}
