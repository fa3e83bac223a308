import type { EvaluationNudge } from '../../jobs/evaluation.job';
import { ALL_USERS, type EventShare, SHARES_PER_WORKER, shareKey } from '../../jobs/event.job';
import type { Clock } from '../platform/clock';
import { keyPrefix } from '../platform/key-prefix';
import type { RedisClient } from '.';
import { DISPATCHERS, WORKER_COUNTED_MS, WORKERS_ASKED_MS } from './knobs';

/**
 * A job costs as much as a pass, so there is one shard per worker. While their number is unknown, each partition is a
 * shard.
 */
export class ShardAssignment {
  constructor(
    private readonly layout: { readonly count: number },
    private readonly workers: { readonly latest: number | undefined },
  ) {}

  /** Nudges by deduplication key, each with all partitions of its shard. */
  nudgesOf(partitions: Iterable<number>): Map<string, EvaluationNudge> {
    const { count } = this.layout;
    const shards = Math.min(count, this.workers.latest ?? count);
    const nudges = new Map<string, EvaluationNudge>();
    for (const partition of partitions) {
      const isAlone = shards === count || partition >= count;
      const id = isAlone ? `partition-${partition}` : `partitions-${partition % shards}-of-${shards}-in-${count}`;
      if (nudges.has(id)) continue;
      nudges.set(id, { id, partitions: isAlone ? [partition] : partitionsOf(partition % shards, shards, count) });
    }
    return nudges;
  }
}

/** Every `shards`-th partition, from that of the shard. */
function partitionsOf(shard: number, shards: number, count: number): number[] {
  return Array.from({ length: Math.ceil((count - shard) / shards) }, (_, index) => shard + index * shards);
}

/**
 * A fixed number of shares per worker, one while their number is unknown. Processes need not agree: locks keep a user's
 * events in order.
 */
export class EventShares {
  constructor(private readonly workers: { readonly latest: number | undefined }) {}

  nudgesOf(userIds?: Iterable<number>): Map<string, EventShare> {
    const { latest } = this.workers;
    const of = latest ? Math.min(DISPATCHERS, SHARES_PER_WORKER * latest) : ALL_USERS.of;
    const shares = userIds
      ? [...new Set([...userIds].map((id) => id % of))]
      : Array.from({ length: of }, (_, share) => share);
    return new Map(shares.map((share) => [shareKey({ share, of }), { share, of }]));
  }
}

const REDIS_WAIT_MS = 1_000;

/** The number decides how nudges are grouped, so it may be wrong for seconds. */
export class WorkerCount {
  private readonly key: string;
  private known: number | undefined;
  private askedMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly redis: Pick<RedisClient, 'ask'>,
    redisPrefix: string,
    private readonly clock: Clock,
  ) {
    this.key = `${keyPrefix(redisPrefix)}:workers`;
  }

  get latest(): number | undefined {
    const nowMs = this.clock.now();
    if (Math.abs(nowMs - this.askedMs) >= WORKERS_ASKED_MS) {
      this.askedMs = nowMs;
      void this.refresh();
    }
    return this.known;
  }

  async refresh(): Promise<void> {
    this.known = (await this.count()) || undefined;
  }

  /** Undefined if Redis does not answer. */
  async count(): Promise<number | undefined> {
    const sinceMs = this.clock.now() - WORKER_COUNTED_MS;
    const count = this.redis.ask(REDIS_WAIT_MS, (redis) => redis.zcount(this.key, sinceMs, '+inf'));
    return count.catch(() => undefined);
  }

  /** Repeated every few seconds. Fails if Redis does not answer. */
  async announce(worker: string): Promise<void> {
    const nowMs = this.clock.now();
    await this.redis.ask(REDIS_WAIT_MS, async (redis) => {
      await redis.zadd(this.key, nowMs, worker);
      await redis.zremrangebyscore(this.key, '-inf', nowMs - WORKER_COUNTED_MS);
    });
  }

  async leave(worker: string): Promise<void> {
    await this.redis.ask(REDIS_WAIT_MS, (redis) => redis.zrem(this.key, worker)).catch(() => undefined);
  }
}
