import { queuePrefix } from '../../jobs/queues';
import type { Clock } from '../platform/clock';
import type { RedisClient } from '.';
import { WORKER_COUNTED_MS, WORKERS_ASKED_MS } from './knobs';

const REDIS_WAIT_MS = 1_000;

/** The number of workers. It only decides how nudges are grouped, so it may be wrong for some seconds. */
export class WorkerCount {
  private readonly key: string;
  private known: number | undefined;
  private askedMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly redis: Pick<RedisClient, 'ask'>,
    redisPrefix: string,
    private readonly clock: Clock,
  ) {
    this.key = `${queuePrefix(redisPrefix)}:workers`;
  }

  /** The latest answer of Redis, which is refreshed from time to time; undefined while unknown. */
  get latest(): number | undefined {
    const nowMs = this.clock.now();
    if (Math.abs(nowMs - this.askedMs) >= WORKERS_ASKED_MS) {
      this.askedMs = nowMs;
      void this.refresh();
    }
    return this.known;
  }

  async refresh(): Promise<void> {
    const sinceMs = this.clock.now() - WORKER_COUNTED_MS;
    const count = this.redis.ask(REDIS_WAIT_MS, (redis) => redis.zcount(this.key, sinceMs, '+inf'));
    this.known = await count.then(
      (workers) => workers || undefined,
      () => undefined,
    );
  }

  /** Announces a worker. It repeats this every few seconds. Fails if Redis does not answer. */
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
