import { Cluster, Redis, type RedisCommander, type RedisOptions } from 'ioredis';
import type { Logger } from '../platform/logger';
import { parseRedisUrl, type RedisAddress } from '../platform/redis-url';
import { withTimeout } from '../platform/with-timeout';

/** BullMQ waits up to ten seconds for a job. A Redis that does not answer for longer is considered gone. */
const ANSWER_MS = 12_000;
const QUIT_MS = 1_000;
/** Maximum number of overdue commands. Beyond it no more are sent until one of them is answered. */
const MAX_OVERDUE = 100;

/** Retries on a cluster while a master is replaced: how often, and after which pauses. */
const FAILOVER = { maxRedirections: 60, retryDelayOnFailover: 250, retryDelayOnClusterDown: 250 };
/** Interval at which the cluster's slot map is refreshed. */
const SLOTS_MS = 2_000;

export type RedisConnection = Redis | Cluster;

export type RedisCommands = RedisCommander<{ type: 'default' }>;

/**
 * A connection as BullMQ needs it: it waits for Redis to come back instead of failing commands. The URL of a cluster
 * names several of its nodes; the URL of a master with replicas names their sentinels.
 */
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
    // Certificates contain the names of nodes, so these are not resolved here.
    ...(isTls && { dnsLookup: (name: string, done: (error: null, address: string) => void) => done(null, name) }),
    redisOptions: { ...common, username, password, ...(isTls && { tls: {} }) },
  });
}

/**
 * The master that sentinels name. They are asked again after each loss of the connection. They have the same password,
 * or none.
 */
function ofSentinels({ nodes, isTls, username, password, masterName }: RedisAddress): RedisOptions {
  const tls = isTls ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {};
  return { sentinels: [...nodes], name: masterName, username, password, sentinelPassword: password, ...tls };
}

/**
 * Another connection to the same servers, to subscribe on whenever it is ready. The caller handles its errors. The
 * library would subscribe again by itself, but would not await an answer: if the connection is closed at that moment,
 * the process would end.
 */
export function anotherConnection(redis: RedisConnection): RedisConnection {
  return redis instanceof Cluster ? redis.duplicate() : redis.duplicate({ autoResubscribe: false });
}

/**
 * Sends commands that must not wait for Redis to come back. The connection keeps every command until then, even after
 * its caller has given up. So nothing is sent while the connection is lost or leaves many commands unanswered.
 */
export class RedisClient {
  private overdue = 0;

  constructor(private readonly redis: RedisConnection) {}

  /** True if the connection is up, as far as is known. */
  get isReady(): boolean {
    return this.redis.status === 'ready';
  }

  /** Sends a command and returns its answer. Fails at once without a connection, otherwise after `ms` milliseconds. */
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

  /** The servers that hold the keys: several in a cluster. */
  masters(): RedisCommands[] {
    return this.redis instanceof Cluster ? this.redis.nodes('master') : [this.redis];
  }

  /** Closes the connection, gracefully if Redis answers soon. */
  async close(): Promise<void> {
    await this.ask(QUIT_MS, () => this.redis.quit()).catch(() => this.redis.disconnect());
  }
}
