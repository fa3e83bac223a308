import type { ReceivedDataPoint, SensorDataPoint } from '../data-points/data-point';

/** A batch ends with the first point that reaches a limit, so that no pass has to take more at once. */
const MAX_POINTS = 1_000;
const MAX_CHARACTERS = 100_000;

/** Points of one owner that one commit brought to one partition: a row of the inbox. */
export interface InboxBatch {
  id: number;
  ownerId: number;
  points: WaitingPoint[];
}

/** `isDatedHere`: the server dated the point. */
type PackedPoint = readonly [sensorId: number, dateMs: number, receivedMs: number, value: string, isDatedHere?: 1];

interface OpenBatch {
  partition: number;
  ownerId: number;
  points: PackedPoint[];
  characters: number;
}

export const BATCH_COLUMNS = 'partition_no, partition_count, owner_id, stored_ms, points, bytes, sensor_ids, content';

/** A row holds points of one partition and owner, up to a limited size. */
export class BatchBuilder {
  private readonly open = new Map<string, OpenBatch>();
  private readonly full: OpenBatch[] = [];

  constructor(private readonly partitionCount: number) {}

  add(
    ownerId: number,
    sensorId: number,
    point: Pick<WaitingPoint, 'dateMs' | 'value' | 'isDatedHere'>,
    receivedMs: number,
  ) {
    const partition = sensorId % this.partitionCount;
    const key = `${partition} ${ownerId}`;
    let batch = this.open.get(key);
    if (!batch) {
      batch = { partition, ownerId, points: [], characters: 0 };
      this.open.set(key, batch);
    }
    batch.points.push(packed(sensorId, point, receivedMs));
    batch.characters += point.value.length;
    if (batch.points.length < MAX_POINTS && batch.characters < MAX_CHARACTERS) return;
    this.full.push(batch);
    this.open.delete(key);
  }

  get partitions(): Set<number> {
    return new Set([...this.full, ...this.open.values()].map(({ partition }) => partition));
  }

  rows(storedMs: number): unknown[][] {
    return [...this.full, ...this.open.values()].map(({ partition, ownerId, points }) => {
      const { content, sensorIds } = encode(points);
      return [partition, this.partitionCount, ownerId, storedMs, points.length, content.length, sensorIds, content];
    });
  }
}

export function unpack(ownerId: number, storedMs: number, content: string): WaitingPoint[] {
  const points: PackedPoint[] = JSON.parse(content);
  return points.map(([sensorId, dateMs, receivedMs, value, isDatedHere]) => {
    return isDatedHere
      ? { sensorId, dateMs, receivedMs, value, ownerId, storedMs, isDatedHere: true }
      : { sensorId, dateMs, receivedMs, value, ownerId, storedMs };
  });
}

export function pack(points: readonly WaitingPoint[]): { content: string; sensorIds: string } {
  return encode(points.map((point) => packed(point.sensorId, point, point.receivedMs)));
}

/** Without an object between: V8 would describe its shape in the old space, for each point. */
function packed(
  sensorId: number,
  { dateMs, value, isDatedHere }: Pick<WaitingPoint, 'dateMs' | 'value' | 'isDatedHere'>,
  receivedMs: number,
): PackedPoint {
  return isDatedHere ? [sensorId, dateMs, receivedMs, value, 1] : [sensorId, dateMs, receivedMs, value];
}

function encode(points: readonly PackedPoint[]): { content: string; sensorIds: string } {
  const sensorIds = new Set(points.map(([sensorId]) => sensorId));
  return { content: JSON.stringify(points), sensorIds: JSON.stringify([...sensorIds]) };
}

export interface WaitingPoint extends SensorDataPoint, ReceivedDataPoint {
  /** Owner of the sensor when the point arrived. */
  readonly ownerId: number;
  readonly storedMs: number;
}

export interface PassScope {
  partitions: readonly number[];
  sensorId?: number | undefined;
  ownerIds?: readonly number[] | undefined;
  exceptOwnerIds?: readonly number[] | undefined;
  /** If given, points are not evaluated, and their triggers and services get this error. */
  unevaluated?: string | undefined;
  mostPoints?: number | undefined;
  /** `pointKey` of the sensor's oldest point, null if none waits. The pass throws if another one is oldest now. */
  oldestPoint?: string | null | undefined;
}

export function pointKey({ storedMs, receivedMs, dateMs }: WaitingPoint): string {
  return `${storedMs} ${receivedMs} ${dateMs}`;
}

export function groupBySensor(points: readonly WaitingPoint[]): Map<number, WaitingPoint[]> {
  const groups = new Map<number, WaitingPoint[]>();
  for (const point of points) {
    const group = groups.get(point.sensorId);
    if (group) group.push(point);
    else groups.set(point.sensorId, [point]);
  }
  return groups;
}
