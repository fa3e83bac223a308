import { Cluster, Redis, type RedisCommander, type RedisOptions } from 'ioredis';
import type { Logger } from '../platform/logger';
import { parseRedisUrl, type RedisAddress } from '../platform/redis-url';
import { withTimeout } from '../platform/with-timeout';

/** BullMQ waits up to ten seconds for a job. After this time without an answer, Redis counts as gone. */
const ANSWER_MS = 12_000;
const QUIT_MS = 1_000;
const MAX_OVERDUE = 100;

/** Retries on a cluster while a master is replaced. */
const FAILOVER = { maxRedirections: 60, retryDelayOnFailover: 250, retryDelayOnClusterDown: 250 };
const SLOTS_MS = 2_000;

export type RedisConnection = Redis | Cluster;

export type RedisCommands = RedisCommander<{ type: 'default' }>;

/** Waits for Redis to come back instead of failing commands, as BullMQ needs. */
export function openRedis(redisUrl: string, logger: Logger): RedisConnection {
  const redis = connect(redisUrl);
  redis.on('error', (error: Error) => logger.debug({ reason: error.message }, 'redis connection'));
  return redis;
}

function connect(redisUrl: string): RedisConnection {
  const common = { maxRetriesPerRequest: null, socketTimeout: ANSWER_MS };
  const retryStrategy = (attempt: number) => Math.min(attempt * 100, 2_000);
  const address = parseRedisUrl(redisUrl);
  if (address?.masterName !== undefined) return new Redis({ ...common, ...ofSentinels(address), retryStrategy });
  if (!address?.isCluster) return new Redis(redisUrl, { ...common, retryStrategy });
  const { nodes, isTls, username, password } = address;
  return new Cluster([...nodes], {
    ...FAILOVER,
    slotsRefreshInterval: SLOTS_MS,
    clusterRetryStrategy: retryStrategy,
    // Certificates contain the names of nodes, so these are not resolved.
    ...(isTls && { dnsLookup: (name: string, done: (error: null, address: string) => void) => done(null, name) }),
    redisOptions: { ...common, username, password, ...(isTls && { tls: {} }) },
  });
}

/** Sentinels are asked again after each loss. They have the same password, or none. */
function ofSentinels({ nodes, isTls, username, password, masterName }: RedisAddress): RedisOptions {
  const tls = isTls ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {};
  return { sentinels: [...nodes], name: masterName, username, password, sentinelPassword: password, ...tls };
}

/**
 * The caller subscribes whenever the connection is ready: the library would not await the answer, and closing the
 * connection at that moment would end the process.
 */
export function anotherConnection(redis: RedisConnection): RedisConnection {
  return redis instanceof Cluster ? redis.duplicate() : redis.duplicate({ autoResubscribe: false });
}

/**
 * Sends commands that must not wait: the connection keeps every command until Redis is back, so nothing is sent while
 * it is lost or leaves many unanswered.
 */
export class RedisClient {
  private overdue = 0;

  constructor(private readonly redis: RedisConnection) {}

  /** The connection may have been lost a moment ago. */
  get isReady(): boolean {
    return this.redis.status === 'ready';
  }

  /** Fails at once without a connection, otherwise after `ms`. */
  async ask<T>(ms: number, command: (redis: RedisCommands) => Promise<T>): Promise<T> {
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

  /** Several in a cluster. */
  masters(): RedisCommands[] {
    return this.redis instanceof Cluster ? this.redis.nodes('master') : [this.redis];
  }

  async close(): Promise<void> {
    await this.ask(QUIT_MS, () => this.redis.quit()).catch(() => this.redis.disconnect());
  }
}
