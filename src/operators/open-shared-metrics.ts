import type { Clock } from '../platform/clock';
import type { Config } from '../platform/config';
import type { Metrics } from '../platform/metrics';
import { PlatformGauges } from '../platform/platform-gauges';
import type { RedisClient } from '../queue';
import { SharedMetrics } from '../queue/shared-metrics';
import type { Database } from '../storage';
import { readLoad } from './load';
import { readMysqlState, redisMemoryIn } from './servers';

/** Maximum wait for Redis. */
const REDIS_WAIT_MS = 1_000;

interface Parts {
  config: Config;
  clock: Clock;
  database: Database;
}

export function openSharedMetrics(
  { config, clock, database }: Parts,
  redis: RedisClient,
  metrics: Metrics,
): SharedMetrics {
  const gauges = new PlatformGauges({
    readLoad: () => readLoad(database.reads, clock),
    readMysql: () => readMysqlState(database.reads),
    readRedis: async () => redisMemoryIn(await redis.ask(REDIS_WAIT_MS, (connection) => connection.info('memory'))),
  });
  return new SharedMetrics(redis, config.redisPrefix, metrics, clock, (workers) => gauges.read(workers));
}
