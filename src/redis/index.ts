import { Redis } from 'ioredis';
import type { Logger } from '../logger';
import { withTimeout } from '../with-timeout';

/** BullMQ waits up to ten seconds for a job; a Redis that does not answer for longer is considered gone. */
const ANSWER_MS = 12_000;
const QUIT_MS = 1_000;
/** So many commands may be overdue before no more are sent, until one of them is answered. */
const MAX_OVERDUE = 100;

/** A connection as BullMQ wants it: it waits for Redis to come back instead of failing commands for good. */
export function openRedis(redisUrl: string, logger: Logger): Redis {
  const redis = new Redis(redisUrl, {
    maxRetriesPerRequest: null,
    socketTimeout: ANSWER_MS,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  redis.on('error', (error: Error) => logger.debug({ reason: error.message }, 'redis connection'));
  return redis;
}

/**
 * Sends commands that must not wait for Redis to come back. The connection keeps every command until then, even after its
 * caller has given up; so while it is lost, or leaves many commands unanswered, nothing is sent.
 */
export class RedisClient {
  private overdue = 0;

  constructor(private readonly redis: Redis) {}

  /** Whether the connection is up, as far as is known. */
  get isReady(): boolean {
    return this.redis.status === 'ready';
  }

  /** The answer to a command. Fails at once without a connection, and otherwise after so many milliseconds. */
  async ask<T>(ms: number, command: (redis: Redis) => Promise<T>): Promise<T> {
    if (!this.isReady) throw new Error('Redis is not connected');
    if (this.overdue >= MAX_OVERDUE) throw new Error('Redis does not answer');
    let isOverdue = false;
    const answer = command(this.redis).finally(() => {
      if (isOverdue) this.overdue -= 1;
    });
    return withTimeout(ms, answer, () => {
      isOverdue = true;
      this.overdue += 1;
      return new Error('Redis did not answer in time');
    });
  }

  /** Closes the connection, in order if Redis answers soon. */
  async close(): Promise<void> {
    await this.ask(QUIT_MS, (redis) => redis.quit()).catch(() => this.redis.disconnect());
  }
}
