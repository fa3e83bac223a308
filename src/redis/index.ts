import { Redis } from 'ioredis';
import type { Logger } from '../logger';

/** BullMQ waits up to ten seconds for a job; a Redis that says nothing for longer is taken for gone. */
const ANSWER_MS = 12_000;

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
