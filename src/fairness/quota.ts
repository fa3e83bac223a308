import type { Config } from '../platform/config';
import type { Allowance } from '../platform/errors';
import { keyPrefix } from '../platform/key-prefix';
import type { Logger } from '../platform/logger';
import type { RedisClient } from '../queue';
import { QUOTA_WAIT_MS } from './knobs';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** A user who has sent nothing for this time may send its points at once. */
const POINT_WINDOW_SECONDS = 10;

const ROUNDING = 0.001;

export interface QuotaLimits {
  /** Part of the keys in Redis. */
  counted: string;
  /** Maximum amount per window of one tenant. 0 switches the quota off. */
  limit: number;
  windowMs: number;
}

/** The allowance after a charge. */
export interface Charged extends Allowance {
  exceeded: boolean;
}

/**
 * The generic cell rate algorithm (GCRA). The key holds until when (ms) the charges of a tenant are paid for. A charge
 * passes if a unit is left in the window that begins now, so a charge of any size passes once and is paid for by waiting.
 * Returns how far ahead the key is, and whether the charge was refused.
 */
const CHARGE_SCRIPT = `local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local paid = math.max(now, tonumber(redis.call('GET', KEYS[1]) or 0))
if paid - now > tonumber(ARGV[2]) then return {string.format('%.3f', paid - now), 1} end
paid = paid + tonumber(ARGV[1])
redis.call('SET', KEYS[1], string.format('%.3f', paid), 'PX', math.ceil(paid - now) + 1000)
return {string.format('%.3f', paid - now), 0}`;

/**
 * Limits tenants across all API processes. Unused allowance comes back continuously. Without Redis nothing is counted:
 * a quota is no reason to refuse work.
 */
export class Quota {
  constructor(
    private readonly redis: Pick<RedisClient, 'ask'>,
    private readonly redisPrefix: string,
    private readonly limits: QuotaLimits,
    private readonly logger: Logger,
  ) {}

  get isOn(): boolean {
    return this.limits.limit > 0;
  }

  /** Undefined if nothing was counted. */
  async charge(tenant: string | number, amount = 1): Promise<Charged | undefined> {
    if (!this.isOn) return undefined;
    const { limit, windowMs } = this.limits;
    const unitMs = windowMs / limit;
    const latestMs = windowMs - unitMs;
    const charged = await this.run(tenant, amount * unitMs, latestMs);
    if (!charged) return undefined;
    const { aheadMs, exceeded } = charged;
    return {
      limit,
      windowSeconds: windowMs / 1_000,
      remaining: exceeded ? 0 : Math.max(0, Math.floor((windowMs - aheadMs) / unitMs + ROUNDING)),
      resetSeconds: Math.max(1, Math.ceil((exceeded ? aheadMs - latestMs : aheadMs) / 1_000)),
      exceeded,
    };
  }

  private async run(
    tenant: string | number,
    costMs: number,
    latestMs: number,
  ): Promise<{ aheadMs: number; exceeded: boolean } | undefined> {
    const key = `${keyPrefix(this.redisPrefix)}:${this.limits.counted}:${tenant}`;
    try {
      const answer = await this.redis.ask(QUOTA_WAIT_MS, (redis) =>
        redis.eval(CHARGE_SCRIPT, 1, key, costMs, latestMs),
      );
      const [aheadMs, refused] = answer as [string, number]; // the result of the script
      return { aheadMs: Number(aheadMs), exceeded: refused === 1 };
    } catch (error) {
      this.logger.debug({ counted: this.limits.counted, reason: String(error) }, 'a quota was not charged');
      return undefined;
    }
  }
}

/** The quotas of requests, registrations and points. */
export function openQuotas({ redisPrefix, ...config }: Config, redis: RedisClient, logger: Logger) {
  const quota = (limits: QuotaLimits) => new Quota(redis, redisPrefix, limits, logger);
  const pointsPerWindow = config.pointLimit * POINT_WINDOW_SECONDS;
  return {
    requestQuota: quota({ counted: 'requests', limit: config.requestLimit, windowMs: MINUTE_MS }),
    registrationQuota: quota({ counted: 'registrations', limit: config.registrationLimit, windowMs: HOUR_MS }),
    pointQuota: quota({ counted: 'points', limit: pointsPerWindow, windowMs: POINT_WINDOW_SECONDS * 1_000 }),
  };
}
