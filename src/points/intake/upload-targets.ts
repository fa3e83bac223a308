import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../../platform/clock';
import { LruCache } from '../../platform/lru-cache';
import { CACHED_MS, CACHED_SENSORS } from './knobs';

export interface Target {
  ownerId: number;
  stores: boolean;
  /** True if an active trigger or a service evaluates the points. */
  evaluated: boolean;
  streamed: boolean;
}

export type Targets = ReadonlyMap<number, Target>;

export interface KnownTargets {
  targets: Targets;
  /** True if any event notification waits for uploads. */
  isEventAwaited: boolean;
  epochs: UploadEpochs;
}

/** Partition → how often the cached data of its sensors has changed. */
export type UploadEpochs = ReadonlyMap<number, number>;

interface CachedPartition {
  epoch: number;
  targets: LruCache<number, Target>;
}

const AWAITED = "EXISTS (SELECT 1 FROM event_notifications WHERE event = 'add_sensor_data' AND enabled = TRUE)";
export const UPLOAD_EPOCHS =
  'SELECT partition_no AS partitionNo, upload_epoch AS epoch FROM partitions WHERE partition_no < partition_count';

/**
 * An upload reads a row for each partition instead of one for each sensor. An entry is valid until the partition's
 * epoch is bumped. Every transaction must do that which changes or deletes a sensor, which connects, activates or
 * disconnects a subscriber (decision 46), or which lets an event notification wait for uploads.
 */
export class TargetCache {
  private partitionCount = 0;
  private partitions = new Map<number, CachedPartition>();
  /** True until the first read. */
  private isEventAwaited = true;
  private readMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /**
   * Valid only if the epochs are unchanged (`requirePreconditions`). Undefined unless all sensors are cached and no
   * event notification waits for uploads.
   */
  lookUp(sensorIds: Iterable<number>): KnownTargets | undefined {
    const { partitionCount, partitions } = this;
    if (this.isEventAwaited || partitions.size !== partitionCount) return undefined;
    const ageMs = this.clock.now() - this.readMs;
    if (ageMs < 0 || ageMs >= CACHED_MS) return undefined;
    const targets = new Map<number, Target>();
    for (const id of sensorIds) {
      const target = partitions.get(id % partitionCount)?.targets.find(id);
      if (!target) return undefined;
      targets.set(id, target);
    }
    return { targets, isEventAwaited: false, epochs: epochsOf(partitions) };
  }

  /** Invalidates the cache until the next read. */
  invalidate(): void {
    this.isEventAwaited = true;
  }

  /**
   * Sees all changes committed before the call. Without `keeps` nothing is cached: the transaction may have made the
   * sensors.
   */
  async read(connection: PoolConnection, sensorIds: Iterable<number>, { keeps = true } = {}): Promise<KnownTargets> {
    const isEventAwaited = await this.refresh(connection);
    // Another upload may replace them meanwhile.
    const { partitionCount, partitions } = this;
    const epochs = epochsOf(partitions);
    const targets = new Map<number, Target>();
    const unknown: number[] = [];
    for (const id of sensorIds) {
      const target = partitions.get(id % partitionCount)?.targets.find(id);
      if (target) targets.set(id, target);
      else unknown.push(id);
    }
    for (const [id, target] of await readTargets(connection, unknown)) {
      targets.set(id, target);
      if (keeps) partitions.get(id % partitionCount)?.targets.set(id, target);
    }
    return { targets, isEventAwaited, epochs };
  }

  /** Drops changed partitions. Returns true if any event notification waits for uploads. */
  private async refresh(connection: PoolConnection): Promise<boolean> {
    const nowMs = this.clock.now();
    const [rows] = await connection.query<RowDataPacket[]>(
      `SELECT partition_no AS partitionNo, partition_count AS partitionCount, upload_epoch AS epoch, ${AWAITED} AS isEventAwaited
       FROM partitions WHERE partition_no < partition_count`,
    );
    const partitionCount = Number(rows[0]?.partitionCount ?? 1);
    const before = partitionCount === this.partitionCount ? this.partitions : new Map<number, CachedPartition>();
    this.partitionCount = partitionCount;
    this.partitions = new Map(
      rows.map(({ partitionNo, epoch }) => {
        const known = before.get(Number(partitionNo));
        const isValid = known?.epoch === Number(epoch);
        const targets = isValid ? known.targets : new LruCache<number, Target>(CACHED_SENSORS / partitionCount);
        return [Number(partitionNo), { epoch: Number(epoch), targets }];
      }),
    );
    this.isEventAwaited = rows.some((row) => Boolean(row.isEventAwaited));
    this.readMs = nowMs;
    return this.isEventAwaited;
  }
}

function epochsOf(partitions: ReadonlyMap<number, CachedPartition>): UploadEpochs {
  return new Map([...partitions].map(([partition, { epoch }]) => [partition, epoch]));
}

export function toUploadEpochs(rows: readonly RowDataPacket[]): UploadEpochs {
  return new Map(rows.map(({ partitionNo, epoch }) => [Number(partitionNo), Number(epoch)]));
}

export async function readUploadEpochs(connection: Pick<Pool, 'query'>): Promise<UploadEpochs> {
  return toUploadEpochs((await connection.query<RowDataPacket[]>(UPLOAD_EPOCHS))[0]);
}

/** Leaves out missing sensors. `locked`: against removal and new subscribers. */
export async function readTargets(
  connection: PoolConnection,
  sensorIds: readonly number[],
  { locked = false } = {},
): Promise<Targets> {
  if (sensorIds.length === 0) return new Map();
  const [[sensors], [listeners]] = await Promise.all([
    connection.query<RowDataPacket[]>(
      `SELECT id, owner_id AS ownerId, use_data_storage AS stores FROM sensors
       WHERE id IN (?) ${locked ? 'ORDER BY id LOCK IN SHARE MODE' : ''}`,
      [sensorIds],
    ),
    connection.query<RowDataPacket[]>(
      `SELECT sensor_id AS id, 'evaluated' AS listener FROM sensor_triggers WHERE sensor_id IN (?) AND active
       UNION SELECT sensor_id, 'evaluated' FROM service_inputs WHERE sensor_id IN (?)
       UNION SELECT thing_id, 'streamed' FROM stream_topics WHERE kind = 'sensor' AND thing_id IN (?)`,
      [sensorIds, sensorIds, sensorIds],
    ),
  ]);
  const targets = new Map<number, Target>();
  for (const { id, ownerId, stores } of sensors) {
    targets.set(Number(id), { ownerId: Number(ownerId), stores: Boolean(stores), evaluated: false, streamed: false });
  }
  for (const { id, listener } of listeners) {
    const target = targets.get(Number(id));
    if (!target) continue;
    if (listener === 'evaluated') target.evaluated = true;
    else target.streamed = true;
  }
  return targets;
}
