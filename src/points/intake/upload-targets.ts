import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../../platform/clock';
import { LruCache } from '../../platform/lru-cache';
import { CACHED_MS, CACHED_SENSORS } from './knobs';

/** A sensor that gets points: who may upload to it, and how its points are used. */
export interface Target {
  ownerId: number;
  stores: boolean;
  /** True if an active trigger or a service evaluates its points. */
  evaluated: boolean;
  /** True if its points are logged for streams. */
  streamed: boolean;
}

export type Targets = ReadonlyMap<number, Target>;

/** The targets of a commit of uploads. */
export interface KnownTargets {
  /** The sensors that exist, by id. */
  targets: Targets;
  /** True if any event notification waits for uploads. */
  isEventAwaited: boolean;
  /** The epochs of the partitions for which this holds. */
  changes: Changes;
}

/** Partition → its epoch: how often the cached data of its sensors has changed. */
export type Changes = ReadonlyMap<number, number>;

/** The cached sensors of a partition, and its epoch when they were read. */
interface CachedPartition {
  changes: number;
  targets: LruCache<number, Target>;
}

/** True if any event notification waits for uploads. */
const AWAITED = "EXISTS (SELECT 1 FROM event_notifications WHERE event = 'add_sensor_data' AND enabled = TRUE)";
/** The current epoch of each partition. */
export const CHANGES =
  'SELECT partition_no AS partitionNo, changes FROM partitions WHERE partition_no < partition_count';

/**
 * Caches the sensors of uploads, so that an upload reads a row for each partition instead of one for each sensor. An
 * entry is valid until the epoch of the sensor's partition is bumped. Every transaction does that which changes or
 * deletes a sensor, which connects, activates or disconnects a subscriber (decision 46), or which lets an event
 * notification wait for uploads.
 */
export class TargetCache {
  private partitionCount = 0;
  private partitions = new Map<number, CachedPartition>();
  /** True if any event notification waits for uploads, and until the first read. */
  private isEventAwaited = true;
  private readMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /**
   * The cached targets of these sensors. They are valid only if the epochs of the partitions are unchanged
   * (`requirePreconditions`). Undefined unless all sensors are cached and no event notification waits for uploads.
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
    return { targets, isEventAwaited: false, changes: changesOf(partitions) };
  }

  /** Invalidates the cache until the next read. */
  invalidate(): void {
    this.isEventAwaited = true;
  }

  /**
   * The current targets of these sensors. Sees all changes that were committed before this call began. Without `keeps`
   * nothing is cached: the transaction may have made the sensors.
   */
  async read(connection: PoolConnection, sensorIds: Iterable<number>, { keeps = true } = {}): Promise<KnownTargets> {
    const isEventAwaited = await this.refresh(connection);
    // Another upload may replace them meanwhile.
    const { partitionCount, partitions } = this;
    const changes = changesOf(partitions);
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
    return { targets, isEventAwaited, changes };
  }

  /** Drops partitions that have changed. Returns true if any event notification waits for uploads. */
  private async refresh(connection: PoolConnection): Promise<boolean> {
    const nowMs = this.clock.now();
    const [rows] = await connection.query<RowDataPacket[]>(
      `SELECT partition_no AS partitionNo, partition_count AS partitionCount, changes, ${AWAITED} AS isEventAwaited
       FROM partitions WHERE partition_no < partition_count`,
    );
    const partitionCount = Number(rows[0]?.partitionCount ?? 1);
    const before = partitionCount === this.partitionCount ? this.partitions : new Map<number, CachedPartition>();
    this.partitionCount = partitionCount;
    this.partitions = new Map(
      rows.map(({ partitionNo, changes }) => {
        const known = before.get(Number(partitionNo));
        const isValid = known?.changes === Number(changes);
        const targets = isValid ? known.targets : new LruCache<number, Target>(CACHED_SENSORS / partitionCount);
        return [Number(partitionNo), { changes: Number(changes), targets }];
      }),
    );
    this.isEventAwaited = rows.some((row) => Boolean(row.isEventAwaited));
    this.readMs = nowMs;
    return this.isEventAwaited;
  }
}

function changesOf(partitions: ReadonlyMap<number, CachedPartition>): Changes {
  return new Map([...partitions].map(([partition, { changes }]) => [partition, changes]));
}

export function toChanges(rows: readonly RowDataPacket[]): Changes {
  return new Map(rows.map(({ partitionNo, changes }) => [Number(partitionNo), Number(changes)]));
}

export async function readChanges(connection: Pick<Pool, 'query'>): Promise<Changes> {
  return toChanges((await connection.query<RowDataPacket[]>(CHANGES))[0]);
}

/**
 * The existing ones of these sensors, as stored. `locked`: against removal and new subscribers until the end of the
 * transaction.
 */
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
