import type { Redis } from 'ioredis';
import { queuePrefix } from '../../jobs/queues';
import type { Decided } from '../actors/sensor.actor';
import { type DecisionRecord, decodeDecision, encodeDecision } from '../domain/decision-record';
import { Unavailable } from '../errors';
import type { Logger } from '../logger';
import type { RedisClient } from './index';

/** Decisions that are kept of each sensor trigger, and for how long after the last of them. */
const MAX_DECISIONS_PER_TRIGGER = 100;
/** Of decisions about long texts fewer are kept: about so many bytes of each sensor trigger. */
const BYTES_PER_TRIGGER = 20_000;
const MIN_DECISIONS_PER_TRIGGER = 10;
const KEPT_FOR_MS = 7 * 86_400_000;
/** Sensor triggers written by one command: Redis does nothing else during a script. */
const PER_COMMAND = 500;
const REDIS_WAIT_MS = 1_000;
/** Decisions are collected for this long: soon after a quiet time, and under load many turns share a command. */
const COLLECT_MS = { afterQuiet: 50, underLoad: 1_000 };

/**
 * KEYS: the index. ARGV: how long to keep decisions, sensor triggers, now; then for each sensor trigger its id, how many
 * decisions to keep of it, the number of its new ones, and these as texts.
 */
const WRITE_SCRIPT = `local index = KEYS[1]
local at = 4
while at < #ARGV do
  local id, kept, count = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local list = index .. ':' .. id
  if redis.call('LPUSH', list, unpack(ARGV, at + 3, at + 2 + count)) > kept then redis.call('LTRIM', list, 0, kept - 1) end
  redis.call('PEXPIRE', list, ARGV[1])
  redis.call('ZADD', index, ARGV[3], id)
  at = at + 3 + count
end
redis.call('PEXPIRE', index, ARGV[1])
local over = redis.call('ZCARD', index) - tonumber(ARGV[2])
if over > 0 then
  local oldest = redis.call('ZPOPMIN', index, over)
  for i = 1, #oldest, 2 do redis.call('UNLINK', index .. ':' .. oldest[i]) end
end`;

/**
 * The latest decisions of sensor triggers, to find out why one fired or did not. They are not essential: they are written
 * some time after the commit of their turn, and are lost with Redis, or when it does not take them in time.
 */
export class DecisionLog {
  private readonly index: string;
  /** What was decided since the last command, as texts, oldest first. */
  private collected = new Map<number, string[]>();
  private latestMs = 0;
  private timer: NodeJS.Timeout | undefined;
  private flushedAt = Number.NEGATIVE_INFINITY;
  private underWay: Promise<void> = Promise.resolve();

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

  /** Takes what a turn decided, and stores it a moment later. Never throws. */
  write(decided: readonly Decided[]): void {
    if (this.sensorTriggers === 0 || decided.length === 0) return;
    for (const one of decided) this.collect(one.sensorTriggerId, encodeDecision(one));
    this.latestMs = decided[decided.length - 1]?.decidedMs ?? this.latestMs;
    const isQuiet = performance.now() - this.flushedAt > COLLECT_MS.underLoad;
    const delayMs = isQuiet ? COLLECT_MS.afterQuiet : COLLECT_MS.underLoad;
    this.timer ??= setTimeout(() => void this.flush(), delayMs).unref();
  }

  /** Resolves once everything that was decided so far is stored, or given up. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.flushedAt = performance.now();
    const collected = [...this.collected];
    this.collected = new Map();
    if (collected.length > 0) this.underWay = this.underWay.then(() => this.store(collected));
    return this.underWay;
  }

  /** The latest decisions of a sensor trigger, newest first. */
  async read(sensorTriggerId: number): Promise<DecisionRecord[]> {
    await this.flush();
    const key = `${this.index}:${sensorTriggerId}`;
    const read = (redis: Redis) => redis.lrange(key, 0, MAX_DECISIONS_PER_TRIGGER - 1);
    const texts = await this.redis.ask(REDIS_WAIT_MS, read).catch(() => {
      throw new Unavailable();
    });
    // Two turns may have been written in the opposite order; within a turn the order is that of the list.
    return texts.map(decodeDecision).sort((a, b) => b.decidedMs - a.decidedMs);
  }

  private collect(sensorTriggerId: number, text: string): void {
    const texts = this.collected.get(sensorTriggerId);
    if (!texts) {
      const [oldest] = this.collected.keys();
      if (this.collected.size >= this.sensorTriggers && oldest !== undefined) this.collected.delete(oldest);
      this.collected.set(sensorTriggerId, [text]);
      return;
    }
    texts.push(text);
    if (texts.length > MAX_DECISIONS_PER_TRIGGER) texts.shift();
  }

  private async store(collected: readonly [number, string[]][]): Promise<void> {
    try {
      for (let start = 0; start < collected.length; start += PER_COMMAND) {
        const values = collected.slice(start, start + PER_COMMAND).flatMap(([id, texts]) => {
          const newest = texts.slice(-keptOf(texts));
          return [id, keptOf(texts), newest.length, ...newest];
        });
        const settings = [KEPT_FOR_MS, this.sensorTriggers, this.latestMs];
        const write = (redis: Redis) => redis.eval(WRITE_SCRIPT, 1, this.index, ...settings, ...values);
        await this.redis.ask(REDIS_WAIT_MS, write);
      }
    } catch (error) {
      this.logger.debug({ reason: String(error) }, 'decisions were not stored');
    }
  }
}

/** How many decisions are kept of a sensor trigger, by the length of the latest one. */
function keptOf(texts: readonly string[]): number {
  const affordable = Math.floor(BYTES_PER_TRIGGER / Buffer.byteLength(texts.at(-1) ?? ' '));
  return Math.min(MAX_DECISIONS_PER_TRIGGER, Math.max(MIN_DECISIONS_PER_TRIGGER, affordable));
}
