import { statfs } from 'node:fs/promises';
import type { Pool } from 'mysql2/promise';
import { Gauge, type Registry } from 'prom-client';
import type { RedisClient } from '.';

interface PoolInside {
  _allConnections: { length: number };
  _freeConnections: { length: number };
  _connectionQueue: { length: number };
}

export interface Watched {
  pools: Readonly<Record<string, Pool>>;
  redis: Pick<RedisClient, 'isReady'>;
  waitingUploads: () => number;
  dataDir: string;
  version: string;
}

/** The gauges are read on demand. */
export function addProcessGauges(
  registry: Registry,
  { pools, redis, waitingUploads, dataDir, version }: Watched,
): void {
  const registers = [registry];
  new Gauge({
    name: 'mysql_pool_connections',
    help: 'Connections of each pool to MySQL: used, free; and callers that wait for one',
    labelNames: ['pool', 'state'] as const,
    registers,
    collect() {
      for (const [pool, { pool: inside }] of Object.entries(pools)) {
        const {
          _allConnections: all,
          _freeConnections: free,
          _connectionQueue: queue,
        } = inside as unknown as PoolInside;
        this.set({ pool, state: 'used' }, all.length - free.length);
        this.set({ pool, state: 'free' }, free.length);
        this.set({ pool, state: 'waiting' }, queue.length);
      }
    },
  });
  new Gauge({
    name: 'redis_connected',
    help: 'Whether this process is connected to Redis',
    registers,
    collect() {
      this.set(redis.isReady ? 1 : 0);
    },
  });
  new Gauge({
    name: 'upload_queue_points',
    help: 'Data points of uploads that wait for the next group commit of this process',
    registers,
    collect() {
      this.set(waitingUploads());
    },
  });
  addDiskGauges(registry, dataDir);
  new Gauge({ name: 'platform_build_info', help: 'The version', labelNames: ['version'] as const, registers }).set(
    { version },
    1,
  );
}

/** Read together, for one moment. Left out if the folder cannot be read. */
function addDiskGauges(registry: Registry, dataDir: string): void {
  const registers = [registry];
  const size = new Gauge({ name: 'data_dir_size_bytes', help: 'Size of the disk that holds DATA_DIR', registers });
  new Gauge({
    name: 'data_dir_free_bytes',
    help: 'Free space on the disk that holds DATA_DIR',
    registers,
    async collect() {
      const disk = await statfs(dataDir).catch(() => undefined);
      if (disk) {
        this.set(disk.bavail * disk.bsize);
        size.set(disk.blocks * disk.bsize);
      } else for (const gauge of [this, size]) gauge.remove();
    },
  });
}
