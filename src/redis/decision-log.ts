import type { Redis } from 'ioredis';
import { queuePrefix } from '../../jobs/queues';
import type { Decided } from '../actors/sensor.actor';
import { type DecisionRecord, decodeDecision, encodeDecision } from '../domain/decision-record';
import { Unavailable } from '../errors';
import type { Logger } from '../logger';
import type { RedisClient } from './index';

/** Decisions that are kept of each sensor trigger, and for how long after the last of them. */
const MAX_DECISIONS_PER_TRIGGER = 100;
const KEPT_FOR_MS = 7 * 86_400_000;
/** Sensor triggers written by one command: Redis does nothing else during a script. */
const PER_COMMAND = 500;
const REDIS_WAIT_MS = 1_000;

/**
 * KEYS: the index. ARGV: decisions per trigger, how long to keep them, sensor triggers, now; then for each sensor trigger
 * its id, the number of its decisions, and these as texts.
 */
const WRITE_SCRIPT = `local index, kept = KEYS[1], tonumber(ARGV[1])
local at = 5
while at < #ARGV do
  local id, count = ARGV[at], tonumber(ARGV[at + 1])
  local list = index .. ':' .. id
  if redis.call('LPUSH', list, unpack(ARGV, at + 2, at + 1 + count)) > kept then redis.call('LTRIM', list, 0, kept - 1) end
  redis.call('PEXPIRE', list, ARGV[2])
  redis.call('ZADD', index, ARGV[4], id)
  at = at + 2 + count
end
redis.call('PEXPIRE', index, ARGV[2])
local over = redis.call('ZCARD', index) - tonumber(ARGV[3])
if over > 0 then
  local oldest = redis.call('ZPOPMIN', index, over)
  for i = 1, #oldest, 2 do redis.call('UNLINK', index .. ':' .. oldest[i]) end
end`;

/**
 * The latest decisions of sensor triggers, to find out why one fired or did not. They are not essential: they are written
 * after the commit of their turn, and are lost with Redis, or when it does not take them in time.
 */
export class DecisionLog {
  private readonly index: string;

  constructor(
    private readonly redis: Pick<RedisClient, 'ask'>,
    redisPrefix: string,
    /** For how many sensor triggers decisions are kept: those that decided last. It bounds the memory; 0 is off. */
    private readonly sensorTriggers: number,
    private readonly logger: Logger,
  ) {
    // All keys share the prefix in braces, and so their slot in a Redis cluster: the script may build their names.
    this.index = `${queuePrefix(redisPrefix)}:decisions`;
  }

  /** Stores what a turn decided. Never throws. */
  async write(decided: readonly Decided[]): Promise<void> {
    if (this.sensorTriggers === 0 || decided.length === 0) return;
    const nowMs = decided[decided.length - 1]?.decidedMs ?? 0;
    const latest = [...latestOf(decided)];
    try {
      for (let start = 0; start < latest.length; start += PER_COMMAND) {
        const values = latest.slice(start, start + PER_COMMAND).flatMap(([id, texts]) => [id, texts.length, ...texts]);
        const settings = [MAX_DECISIONS_PER_TRIGGER, KEPT_FOR_MS, this.sensorTriggers, nowMs];
        const write = (redis: Redis) => redis.eval(WRITE_SCRIPT, 1, this.index, ...settings, ...values);
        await this.redis.ask(REDIS_WAIT_MS, write);
      }
    } catch (error) {
      this.logger.debug({ reason: String(error) }, 'decisions were not stored');
    }
  }

  /** The latest decisions of a sensor trigger, newest first. */
  async read(sensorTriggerId: number): Promise<DecisionRecord[]> {
    const key = `${this.index}:${sensorTriggerId}`;
    const read = (redis: Redis) => redis.lrange(key, 0, MAX_DECISIONS_PER_TRIGGER - 1);
    const texts = await this.redis.ask(REDIS_WAIT_MS, read).catch(() => {
      throw new Unavailable();
    });
    // Two turns may have been written in the opposite order; within a turn the order is that of the list.
    return texts.map(decodeDecision).sort((a, b) => b.decidedMs - a.decidedMs);
  }
}

/** The last decisions of each sensor trigger as texts, oldest first. */
function latestOf(decided: readonly Decided[]): Map<number, string[]> {
  const bySensorTrigger = new Map<number, Decided[]>();
  for (const one of decided) {
    const known = bySensorTrigger.get(one.sensorTriggerId);
    if (known) known.push(one);
    else bySensorTrigger.set(one.sensorTriggerId, [one]);
  }
  return new Map(
    [...bySensorTrigger].map(([id, all]) => [id, all.slice(-MAX_DECISIONS_PER_TRIGGER).map(encodeDecision)]),
  );
}
