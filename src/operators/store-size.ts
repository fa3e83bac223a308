import { statfs } from 'node:fs/promises';
import type { RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../platform/clock';
import type { RedisClient } from '../queue';
import type { Reader } from '../storage/read-pool';
import { redisMemoryIn } from './servers';

const FRESH_MS = 300_000;
const REDIS_WAIT_MS = 1_000;

/** The tables that grow with use, by what they hold. */
const GROUPS = {
  points: ['data_points', 'data_chunks', 'server_dates'],
  firings: ['firings'],
  deliveries: ['deliveries', 'delivery_attempts', 'throttled_deliveries', 'deleted_notifications'],
  waiting: ['inbox_batches', 'events', 'write_behind_buffer', 'change_log', 'training_jobs', 'purge_queue'],
} as const;
export type TableGroup = keyof typeof GROUPS | 'others';

const GROUP_OF = new Map(
  Object.entries(GROUPS).flatMap(([group, tables]) => tables.map((table) => [table as string, group as TableGroup])),
);

export interface StoreSize {
  /** Bytes of tables with their indexes, as MySQL estimates them. */
  tables: ReadonlyMap<TableGroup, number>;
  /** Undefined while Redis does not answer. */
  redisBytes: number | undefined;
  /** Space on the disk with DATA_DIR; undefined if the folder cannot be read. */
  disk: { freeBytes: number; bytes: number } | undefined;
}

interface Stores {
  reads: Reader;
  redis: Pick<RedisClient, 'ask'>;
  clock: Clock;
  dataDir: string;
}

/** Caches sizes for five minutes. */
export class StoreSizes {
  private latest: { untilMs: number; size: Promise<StoreSize> } | undefined;

  constructor(private readonly stores: Stores) {}

  /** Undefined if MySQL does not say. */
  read(): Promise<StoreSize | undefined> {
    const nowMs = this.stores.clock.now();
    if (!this.latest || this.latest.untilMs <= nowMs) {
      this.latest = { untilMs: nowMs + FRESH_MS, size: readSize(this.stores) };
    }
    return this.latest.size.catch(() => {
      this.latest = undefined;
      return undefined;
    });
  }
}

async function readSize({ reads, redis, dataDir }: Stores): Promise<StoreSize> {
  const [tables, redisBytes, disk] = await Promise.all([
    readTables(reads),
    redis
      .ask(REDIS_WAIT_MS, (connection) => connection.info('memory'))
      .then(
        (info) => redisMemoryIn(info).used,
        () => undefined,
      ),
    statfs(dataDir).catch(() => undefined),
  ]);
  return {
    tables,
    redisBytes,
    disk: disk && { freeBytes: disk.bavail * disk.bsize, bytes: disk.blocks * disk.bsize },
  };
}

async function readTables(reads: Reader): Promise<Map<TableGroup, number>> {
  const [rows] = await reads.query<RowDataPacket[]>(
    `SELECT table_name AS name, data_length + index_length AS bytes FROM information_schema.tables
     WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'`,
  );
  const sizes = new Map<TableGroup, number>();
  for (const { name, bytes } of rows) {
    const group = GROUP_OF.get(String(name)) ?? 'others';
    sizes.set(group, (sizes.get(group) ?? 0) + Number(bytes ?? 0));
  }
  return sizes;
}
