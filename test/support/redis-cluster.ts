import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One node of a private Redis Cluster. */
export interface RedisNode {
  port: number;
  child: { kill(signal: NodeJS.Signals): void };
  isMaster(): boolean;
}

export interface RedisCluster {
  /** Names all nodes. */
  url: string;
  nodes: readonly RedisNode[];
  close(): Promise<void>;
}

interface Guard {
  removeAtEnd(folder: string): void;
  close(): Promise<void>;
}

interface Scripts {
  Guard: new () => Guard;
  startRedisCluster(options: { folder: string; guard: Guard; password: string }): Promise<Omit<RedisCluster, 'close'>>;
}

/** Three masters with a replica each, on this machine; what is stored in them is thrown away. */
export async function startRedisCluster(): Promise<RedisCluster> {
  // Plain JavaScript, which has no types of its own.
  const { Guard } = require('../../scripts/support/guard.mjs') as Pick<Scripts, 'Guard'>;
  const { startRedisCluster } = require('../../scripts/support/redis-cluster.mjs') as Pick<
    Scripts,
    'startRedisCluster'
  >;
  const guard = new Guard();
  const folder = mkdtempSync(join(tmpdir(), 'redis-cluster-'));
  guard.removeAtEnd(folder);
  try {
    const started = await startRedisCluster({ folder, guard, password: randomBytes(12).toString('hex') });
    return { ...started, close: () => guard.close() };
  } catch (error) {
    await guard.close();
    throw error;
  }
}
