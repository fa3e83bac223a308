import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../clock';
import { isPermanent } from '../database/mysql-errors';
import { ROWS_PER_STATEMENT, slices } from '../database/slices';
import { inPoolTransaction, runOn } from '../database/transaction';
import type { DataPoint } from '../domain/data-point';
import { type NewEvent, raiseEvents } from '../events/event-rows';
import type { Metrics } from '../metrics';
import type { JobQueue } from '../redis/job-queue';

/** The points that one request brings for one sensor. */
export interface PointBatch {
  sensorId: number;
  points: DataPoint[];
  /** When the request arrived, on the server's clock. */
  receivedMs: number;
}

/** `not-owned`: one of the sensors is gone or somebody else's, and so nothing of the request was stored. */
export type UploadOutcome = 'stored' | 'not-owned';

interface Waiting {
  userId: number;
  batches: PointBatch[];
  size: number;
  resolve(outcome: UploadOutcome): void;
  reject(error: unknown): void;
}

export interface Listener {
  sensorId: number;
  ownerId: number;
  stores: boolean;
  listens: boolean;
}

/** Commits under way at once: while they run, further requests gather for the next. */
const CONCURRENT_COMMITS = 2;

/**
 * Group commit: requests that arrive while a commit is under way are stored together by the next one. When `write`
 * resolves, its points are durable and their evaluation waits in the inbox of the same transaction.
 */
export class DataPointWriter {
  private waiting: Waiting[] = [];
  private running = 0;

  constructor(
    private readonly pool: Pool,
    private readonly jobQueue: JobQueue,
    private readonly clock: Clock,
    private readonly partitions: number,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Stores all batches or none. That the sensors are the user's is looked up in the very transaction that stores: it
   * locks them anyway, and a separate lookup before it would cost as much as the rest.
   */
  write(userId: number, batches: PointBatch[]): Promise<UploadOutcome> {
    const size = batches.reduce((sum, batch) => sum + batch.points.length, 0);
    return new Promise((resolve, reject) => {
      this.waiting.push({ userId, batches, size, resolve, reject });
      // Deferred, so that everything else that arrives in this tick joins the same commit.
      setImmediate(() => this.commitNext());
    });
  }

  private commitNext(): void {
    if (this.running >= CONCURRENT_COMMITS || this.waiting.length === 0) return;
    this.running += 1;
    void this.commit(this.takeGroup()).finally(() => {
      this.running -= 1;
      this.commitNext();
    });
  }

  private takeGroup(): Waiting[] {
    let count = 0;
    let rows = 0;
    while (count < this.waiting.length && (count === 0 || rows < ROWS_PER_STATEMENT)) {
      rows += this.waiting[count]?.size ?? 0;
      count += 1;
    }
    return this.waiting.splice(0, count);
  }

  private async commit(group: Waiting[]): Promise<void> {
    try {
      const { accepted, partitionsToWake, events } = await inPoolTransaction(this.pool, (connection) =>
        this.store(connection, group),
      );
      for (const request of group) {
        if (accepted.has(request)) this.metrics.pointsAccepted.inc(request.size);
        request.resolve(accepted.has(request) ? 'stored' : 'not-owned');
      }
      if (partitionsToWake.size > 0) void this.jobQueue.enqueueTurns(partitionsToWake);
      if (events > 0) void this.jobQueue.enqueueEventDispatch();
    } catch (error) {
      if (group.length === 1 || !isPermanent(error)) for (const request of group) request.reject(error);
      // Nobody's upload fails because of what somebody else sent at the same moment.
      else for (const request of group) await this.commit([request]);
    }
  }

  private async store(connection: PoolConnection, group: Waiting[]) {
    const ids = group.flatMap(({ batches }) => batches.map((batch) => batch.sensorId));
    const listeners = await readListeners(connection, new Set(ids));
    const accepted = group.filter(({ userId, batches }) =>
      batches.every((batch) => listeners.get(batch.sensorId)?.ownerId === userId),
    );
    const storable = accepted.flatMap((request) => request.batches);
    const storedMs = this.clock.now();
    const points: unknown[][] = [];
    const inbox: unknown[][] = [];
    const partitionsToWake = new Set<number>();
    for (const { sensorId, points: given, receivedMs } of storable) {
      const listener = listeners.get(sensorId);
      const partition = sensorId % this.partitions;
      for (const { value, dateMs } of inOrder(given)) {
        if (listener?.stores) points.push([sensorId, dateMs, value, receivedMs]);
        if (listener?.listens) inbox.push([partition, sensorId, listener.ownerId, dateMs, value, receivedMs, storedMs]);
      }
      if (listener?.listens) partitionsToWake.add(partition);
    }
    await insertPoints(connection, points);
    await insertInbox(connection, inbox);
    const uploads = accepted.flatMap((request) => toEvents(request, listeners));
    const events = await raiseEvents(runOn(connection), uploads, storedMs);
    return { accepted: new Set(accepted), partitionsToWake, events };
  }
}

/** By date, so that a turn that takes only some of them takes the oldest. */
function inOrder(points: readonly DataPoint[]): DataPoint[] {
  return [...points].sort((a, b) => a.dateMs - b.dateMs);
}

/** An upload is one event on each of its sensors, however many points it brings. */
function toEvents({ batches }: Waiting, listeners: Map<number, Listener>): NewEvent[] {
  const ids = new Set(batches.filter(({ points }) => points.length > 0).map(({ sensorId }) => sensorId));
  return [...ids].flatMap((id) => {
    const listener = listeners.get(id);
    return listener ? [{ name: 'add_sensor_data' as const, subjectId: id, userId: listener.ownerId }] : [];
  });
}

/**
 * Locks the sensors against removal, then finds which have a listener: an active trigger or a service. In this
 * order, and each statement with a view of its own: what was connected while this waited for the lock is seen, so
 * a trigger connected before the upload always sees its points.
 */
export async function readListeners(
  connection: PoolConnection,
  sensorIds: ReadonlySet<number>,
): Promise<Map<number, Listener>> {
  const ids = [...sensorIds];
  const [sensors] = await connection.query<RowDataPacket[]>(
    `SELECT id, owner_id AS ownerId, use_data_storage AS stores FROM sensors
     WHERE id IN (?) ORDER BY id LOCK IN SHARE MODE`,
    [ids],
  );
  const [listening] = await connection.query<RowDataPacket[]>(
    `SELECT sensor_id AS id FROM sensor_triggers WHERE sensor_id IN (?) AND active
     UNION SELECT sensor_id FROM service_inputs WHERE sensor_id IN (?)`,
    [ids, ids],
  );
  const listeners = new Set(listening.map((row) => Number(row.id)));
  return new Map(
    sensors.map((row) => {
      const sensorId = Number(row.id);
      const listener = { sensorId, ownerId: Number(row.ownerId), stores: Boolean(row.stores) };
      return [sensorId, { ...listener, listens: listeners.has(sensorId) }];
    }),
  );
}

/** Multi-row upserts, sorted by key so that concurrent commits lock in one order. The last of equal keys wins. */
export async function insertPoints(connection: PoolConnection, rows: unknown[][]): Promise<void> {
  const sorted = rows
    .map((row, index) => ({ row, index }))
    .sort((a, b) => Number(a.row[0]) - Number(b.row[0]) || Number(a.row[1]) - Number(b.row[1]) || a.index - b.index)
    .map(({ row }) => row);
  for (const slice of slices(sorted)) {
    await connection.query(
      `INSERT INTO data_points (sensor_id, date_ms, value, received_ms) VALUES ?
       ON DUPLICATE KEY UPDATE value = VALUES(value), received_ms = VALUES(received_ms)`,
      [slice],
    );
  }
}

/** Appends to the inboxes of partitions; rows are `[partition, sensor, owner, date, value, received, stored]`. */
export async function insertInbox(connection: PoolConnection, rows: unknown[][]): Promise<void> {
  for (const slice of slices(rows)) {
    await connection.query(
      'INSERT INTO inbox (partition_no, sensor_id, owner_id, date_ms, value, received_ms, stored_ms) VALUES ?',
      [slice],
    );
  }
}
