import { queuePrefix } from '../../jobs/queues';
import type { Logger } from '../platform/logger';
import type { RedisClient } from '../queue';
import type { RequestAllowance } from './request-limit';

const REDIS_WAIT_MS = 250;
/** Burst of a user who has sent nothing for a while, in seconds of the limit. */
const BURST_SECONDS = 10;

/**
 * The generic cell rate algorithm (GCRA): the key holds until when (ms) the user's points are paid for. A charge is
 * refused while that lies further ahead than the burst. So a charge of any size passes once and is paid for by waiting.
 * Returns how far ahead it is, and whether the charge was refused.
 */
const CHARGE_SCRIPT = `local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local paid = math.max(now, tonumber(redis.call('GET', KEYS[1]) or 0))
if paid - now >= tonumber(ARGV[2]) then return {math.ceil(paid - now), 1} end
paid = paid + tonumber(ARGV[1])
redis.call('SET', KEYS[1], string.format('%.3f', paid), 'PX', math.ceil(paid - now) + 1000)
return {math.ceil(paid - now), 0}`;

/**
 * Limits the data points per second that each user uploads, across all API processes. 0 turns the limit off. If Redis
 * does not answer in time, nothing is counted, as for requests.
 */
export class PointLimit {
  constructor(
    private readonly redis: Pick<RedisClient, 'ask'>,
    private readonly redisPrefix: string,
    private readonly perSecond: number,
    private readonly logger: Logger,
  ) {}

  get isOn(): boolean {
    return this.perSecond > 0;
  }

  /** Charges points to a user before they are stored. Returns undefined if nothing was counted. */
  async charge(userId: number, points: number): Promise<RequestAllowance | undefined> {
    if (!this.isOn) return undefined;
    const burstMs = BURST_SECONDS * 1_000;
    const charged = await this.run(userId, (points * 1_000) / this.perSecond, burstMs);
    if (!charged) return undefined;
    const [aheadMs, refused] = charged;
    const exceeded = refused === 1;
    return {
      limit: this.perSecond * BURST_SECONDS,
      windowSeconds: BURST_SECONDS,
      remaining: Math.max(0, Math.floor(((burstMs - aheadMs) * this.perSecond) / 1_000)),
      resetSeconds: Math.max(1, Math.ceil((exceeded ? aheadMs - burstMs + 1 : aheadMs) / 1_000)),
      exceeded,
    };
  }

  private async run(userId: number, costMs: number, burstMs: number): Promise<[number, number] | undefined> {
    const key = `${queuePrefix(this.redisPrefix)}:points:${userId}`;
    try {
      const answer = await this.redis.ask(REDIS_WAIT_MS, (redis) => redis.eval(CHARGE_SCRIPT, 1, key, costMs, burstMs));
      return answer as [number, number]; // the result of the script
    } catch (error) {
      this.logger.debug({ reason: String(error) }, 'points were not counted');
      return undefined;
    }
  }
}
