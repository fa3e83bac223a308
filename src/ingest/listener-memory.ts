import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';

/** What a commit of uploads has to know besides the sensors themselves. */
export interface Listening {
  /** The sensors whose points somebody waits for: an active trigger or a service. */
  sensorIds: ReadonlySet<number>;
  /** The sensors whose points are noted for streams. */
  streamedIds: ReadonlySet<number>;
  /** Whether any event notification waits for uploads. */
  isEventAwaited: boolean;
  /** As of which changes of the partitions that is so. */
  changes: Changes;
}

/** Partition → how often what is remembered of its sensors has changed. */
export type Changes = ReadonlyMap<number, number>;

interface Remembered {
  changes: number;
  /** Sensor → who waits for its points. */
  listens: Map<number, SensorListeners>;
}

/** Who waits for the points of a sensor: triggers and services, and streams. */
interface SensorListeners {
  evaluated: boolean;
  streamed: boolean;
}

const NOBODY: SensorListeners = { evaluated: false, streamed: false };

/** Sensors that are remembered, about 100 bytes each. */
const SENSORS = 100_000;
const AWAITED = "EXISTS (SELECT 1 FROM event_notifications WHERE event = 'add_sensor_data' AND enabled = TRUE)";

/**
 * What the uploads of this process remember of which sensors have listeners. It holds until the changes of the sensor's partition
 * are counted up, which every transaction that connects, activates or disconnects a listener does.
 */
export class ListenerMemory {
  private partitionCount = 0;
  private partitions = new Map<number, Remembered>();

  /**
   * Which of the sensors that are being locked have a listener. The statement that locks them has been issued, and each one here
   * has a view of its own: what was connected while it waited for the locks is seen, so a trigger connected before the upload always
   * sees its points.
   */
  async read(connection: PoolConnection, locking: Promise<ReadonlyMap<number, unknown>>): Promise<Listening> {
    const [isEventAwaited, locked] = await Promise.all([this.refresh(connection), locking]);
    const sensorIds = [...locked.keys()];
    const { partitionCount, partitions } = this;
    const changes = new Map([...partitions].map(([partition, { changes: count }]) => [partition, count]));
    const remembered = (id: number) => partitions.get(id % partitionCount);
    const unknown = sensorIds.filter((id) => remembered(id)?.listens.has(id) !== true);
    const found = await readListening(connection, unknown);
    // Into what was true when this transaction looked: another one may have replaced it meanwhile.
    for (const id of unknown) remembered(id)?.listens.set(id, found.get(id) ?? NOBODY);
    const listenersOf = (id: number) => remembered(id)?.listens.get(id) ?? found.get(id) ?? NOBODY;
    return {
      sensorIds: new Set(sensorIds.filter((id) => listenersOf(id).evaluated)),
      streamedIds: new Set(sensorIds.filter((id) => listenersOf(id).streamed)),
      isEventAwaited,
      changes,
    };
  }

  /** Forgets partitions with changes. Whether any event notification waits for uploads. */
  private async refresh(connection: PoolConnection): Promise<boolean> {
    const [rows] = await connection.query<RowDataPacket[]>(
      `SELECT partition_no AS partitionNo, partition_count AS partitionCount, changes, ${AWAITED} AS isEventAwaited
       FROM partitions WHERE partition_no < partition_count`,
    );
    const partitionCount = Number(rows[0]?.partitionCount ?? 1);
    const before = partitionCount === this.partitionCount ? this.partitions : new Map<number, Remembered>();
    this.partitionCount = partitionCount;
    this.partitions = new Map(
      rows.map(({ partitionNo, changes }) => {
        const known = before.get(Number(partitionNo));
        const holds = known?.changes === Number(changes) && known.listens.size < SENSORS / partitionCount;
        return [Number(partitionNo), holds ? known : { changes: Number(changes), listens: new Map() }];
      }),
    );
    return rows.some((row) => Boolean(row.isEventAwaited));
  }
}

/** How often each partition has changed by now. */
export async function readChanges(connection: Pick<Pool, 'query'>): Promise<Changes> {
  const [rows] = await connection.query<RowDataPacket[]>(
    'SELECT partition_no AS partitionNo, changes FROM partitions WHERE partition_no < partition_count',
  );
  return new Map(rows.map(({ partitionNo, changes }) => [Number(partitionNo), Number(changes)]));
}

/** Those of these sensors that have an active trigger, feed a service or are streamed. */
export async function readListening(
  connection: PoolConnection,
  sensorIds: readonly number[],
): Promise<ReadonlyMap<number, SensorListeners>> {
  if (sensorIds.length === 0) return new Map();
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT sensor_id AS id, 'evaluated' AS listener FROM sensor_triggers WHERE sensor_id IN (?) AND active
     UNION SELECT sensor_id, 'evaluated' FROM service_inputs WHERE sensor_id IN (?)
     UNION SELECT thing_id, 'streamed' FROM stream_topics WHERE kind = 'sensor' AND thing_id IN (?)`,
    [sensorIds, sensorIds, sensorIds],
  );
  const found = new Map<number, SensorListeners>();
  for (const { id, listener } of rows) {
    found.set(Number(id), { ...(found.get(Number(id)) ?? NOBODY), [String(listener)]: true });
  }
  return found;
}
