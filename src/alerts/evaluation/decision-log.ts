import { Unavailable } from '../../platform/errors';
import { keyPrefix } from '../../platform/key-prefix';
import type { Logger } from '../../platform/logger';
import type { RedisClient, RedisCommands } from '../../queue';
import { type DecisionRecord, decisionsOf, decodeDecisions } from '../rules/decision-record';
import type { Decided } from '../rules/sensor-state';
import { CollectedDecisions, type CollectedEntry, MAX_DECISIONS_PER_TRIGGER } from './collected-decisions';

const DAY_MS = 86_400_000;
/** Sensor triggers that a score can hold. A sensor never has more. */
const MAX_WEIGHT = 127;
/** Sensor triggers per command: Redis does nothing else while a script runs. */
const PER_COMMAND = 500;
const REDIS_WAIT_MS = 1_000;
/** Short after a quiet time; under load many passes share a command. */
const COLLECT_MS = { afterQuiet: 50, underLoad: 1_000 };
/** Later decisions are dropped: a suspended process must not restore decisions that were deleted meanwhile. */
const TOO_LATE_MS = 30_000;

/**
 * KEYS: index, total. ARGV: how long to keep decisions, of how many sensor triggers, current time; then for each sensor
 * its id, its number of sensor triggers, entries to keep, and the new entry. A score in the index is the time of the
 * last decision and, in seven bits, the number of sensor triggers. The total is their sum.
 */
const WRITE_SCRIPT = `local index, total = KEYS[1], KEYS[2]
local added, scores = 0, {}
for at = 4, #ARGV, 4 do
  local id, count, kept = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local list = index .. ':' .. id
  if redis.call('LPUSH', list, ARGV[at + 3]) > kept then redis.call('LTRIM', list, 0, kept - 1) end
  redis.call('PEXPIRE', list, ARGV[1])
  added = added + count - (redis.call('ZSCORE', index, id) or 0) % 128
  scores[#scores + 1] = string.format('%.0f', ARGV[3] * 128 + count)
  scores[#scores + 1] = id
end
redis.call('ZADD', index, unpack(scores))
local over = redis.call('INCRBY', total, added) - tonumber(ARGV[2])
while over > 0 and redis.call('ZCARD', index) > 1 do
  local oldest = redis.call('ZPOPMIN', index)
  redis.call('UNLINK', index .. ':' .. oldest[1])
  over = over - oldest[2] % 128
  redis.call('DECRBY', total, oldest[2] % 128)
end
redis.call('PEXPIRE', index, ARGV[1])
redis.call('PEXPIRE', total, ARGV[1])`;

/**
 * KEYS: index, total, list of a sensor. ARGV: the sensor's id; then entries, each followed by what remains of it, or by
 * nothing. Entries are found by value, not by position: workers may be writing to the list.
 */
const KEEP_SCRIPT = `local index, total, list = KEYS[1], KEYS[2], KEYS[3]
for at = 2, #ARGV, 2 do
  if ARGV[at + 1] ~= '' then redis.call('LINSERT', list, 'BEFORE', ARGV[at], ARGV[at + 1]) end
  redis.call('LREM', list, 1, ARGV[at])
end
local score = redis.call('ZSCORE', index, ARGV[1])
if score and redis.call('EXISTS', list) == 0 then
  redis.call('ZREM', index, ARGV[1])
  redis.call('DECRBY', total, score % 128)
end`;

export interface KeptDecisions {
  /** The sensor triggers that decided last. Bounds the memory; 0 disables the log. */
  ofTriggers: number;
  days: number;
}

/**
 * Decisions are not essential: they are written some time after the commit, and lost if Redis is lost or too slow. An
 * entry holds the decisions of a sensor's triggers since the previous entry.
 */
export class DecisionLog {
  private readonly index: string;
  private collected = new CollectedDecisions();
  /** Decisions that are being stored, or empty. */
  private other = new CollectedDecisions();
  private storing: Promise<void> | undefined;
  private latestMs = 0;
  /** By `performance.now()`. */
  private collectedSince = 0;
  private timer: NodeJS.Timeout | undefined;
  private storedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly redis: Pick<RedisClient, 'ask'>,
    redisPrefix: string,
    private readonly kept: KeptDecisions,
    private readonly logger: Logger,
  ) {
    // All keys share the prefix in braces, and so their hash slot in a Redis cluster: the script may build key names.
    this.index = `${keyPrefix(redisPrefix)}:sensor-decisions`;
  }

  /** Stores decisions a moment later. Never throws. */
  write(decided: readonly Decided[]): void {
    if (this.kept.ofTriggers === 0 || decided.length === 0) return;
    this.latestMs = decided[decided.length - 1]?.decidedMs ?? this.latestMs; // first: a full buffer is stored at once
    if (this.collected.isEmpty) this.collectedSince = performance.now();
    for (const one of decided) {
      if (this.collected.add(one)) continue;
      if (this.storing) break; // lost: Redis has not yet accepted the previous buffer
      void this.flush();
      this.collectedSince = performance.now();
      this.collected.add(one);
    }
    this.flushLater();
  }

  /** Resolves once all decisions so far are stored or dropped. */
  async flush(): Promise<void> {
    while (this.storing) await this.storing;
    if (this.collected.isEmpty) return;
    [this.collected, this.other] = [this.other, this.collected];
    clearTimeout(this.timer);
    this.timer = undefined;
    this.storedAt = performance.now();
    this.storing = this.store(this.other, this.collectedSince).finally(() => {
      this.other.clear();
      this.storing = undefined;
      this.flushLater();
    });
    await this.storing;
  }

  async read(sensorId: number, sensorTriggerId: number): Promise<DecisionRecord[]> {
    await this.flush();
    const list = `${this.index}:${sensorId}`;
    const entries = await this.ask((redis) => redis.lrange(list, 0, MAX_DECISIONS_PER_TRIGGER - 1));
    const records = entries.flatMap((entry) => decodeDecisions(entry, sensorTriggerId).reverse());
    // Two passes may have been written in the opposite order. Within a pass, the order of the list counts.
    return records.sort((a, b) => b.decidedMs - a.decidedMs).slice(0, MAX_DECISIONS_PER_TRIGGER);
  }

  /** Deletes decisions of the sensor's other sensor triggers. */
  async keepOnly(sensorId: number, sensorTriggerIds: readonly number[]): Promise<void> {
    const list = `${this.index}:${sensorId}`;
    const kept = new Set(sensorTriggerIds);
    const entries = await this.ask((redis) => redis.lrange(list, 0, -1));
    const changes = entries.flatMap((entry) => {
      const left = decisionsOf(entry, kept);
      return left === entry ? [] : [entry, left];
    });
    if (changes.length === 0) return;
    const keys = [this.index, `${this.index}:total`, list];
    await this.ask((redis) => redis.eval(KEEP_SCRIPT, keys.length, ...keys, sensorId, ...changes));
  }

  private ask<T>(command: (redis: RedisCommands) => Promise<T>): Promise<T> {
    return this.redis.ask(REDIS_WAIT_MS, command).catch(() => {
      throw new Unavailable();
    });
  }

  private flushLater(): void {
    if (this.timer || this.storing || this.collected.isEmpty) return;
    const isQuiet = performance.now() - this.storedAt > COLLECT_MS.underLoad;
    const delayMs = isQuiet ? COLLECT_MS.afterQuiet : COLLECT_MS.underLoad;
    this.timer = setTimeout(() => void this.flush(), delayMs).unref();
  }

  private async store(collected: CollectedDecisions, since: number): Promise<void> {
    const settings = [this.kept.days * DAY_MS, this.kept.ofTriggers, this.latestMs];
    const keys = [this.index, `${this.index}:total`];
    try {
      for (const some of ofSomeTriggers(collected.entries())) {
        if (performance.now() - since > TOO_LATE_MS) throw new Error('it took too long');
        const values = some.flatMap(({ sensorId, sensorTriggers, kept, text }) => {
          return [sensorId, Math.min(sensorTriggers, MAX_WEIGHT), kept, text];
        });
        const write = (redis: RedisCommands) => redis.eval(WRITE_SCRIPT, keys.length, ...keys, ...settings, ...values);
        await this.redis.ask(REDIS_WAIT_MS, write);
      }
    } catch (error) {
      this.logger.debug({ reason: String(error) }, 'decisions were not stored');
    }
  }
}

/** A chunk has at least `PER_COMMAND` sensor triggers. */
function* ofSomeTriggers(entries: Iterable<CollectedEntry>): Generator<CollectedEntry[]> {
  let some: CollectedEntry[] = [];
  let triggers = 0;
  for (const entry of entries) {
    some.push(entry);
    triggers += entry.sensorTriggers;
    if (triggers < PER_COMMAND) continue;
    yield some;
    [some, triggers] = [[], 0];
  }
  if (some.length > 0) yield some;
}
