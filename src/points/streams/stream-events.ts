import type { Reader } from '../../storage/read-pool';
import { dataPointId, type StoredDataPoint } from '../data-points/data-point';
import type { PointKey } from '../point-store/point-statements';
import { nameOf, readValueSizes, readValues } from '../point-store/point-values';
import type { SequencedChange, TopicKind } from './change-log';
import { formatCursor, isBehind, type StreamPosition } from './stream-position';

export interface StreamedFiring {
  triggerId: number;
  show(of: { isOwn: boolean }): object;
}

export interface StreamedFirings {
  /** Purged firings are left out. */
  read(ids: readonly number[]): Promise<ReadonlyMap<number, StreamedFiring>>;
  sizes(ids: readonly number[]): Promise<ReadonlyMap<number, number>>;
}

export interface StreamItems {
  toPoint(point: StoredDataPoint): object;
  firings: StreamedFirings;
}

export class StreamEvent {
  private readonly made = new Map<boolean, Buffer>();

  constructor(
    readonly kind: TopicKind,
    readonly thingId: number,
    readonly position: StreamPosition,
    private readonly make: (isOwn: boolean) => string,
    /** Only a firing has one. */
    readonly triggerId?: number,
  ) {}

  /** Up to six times as long as the value. Built once for all readers, when the first one takes it. */
  textFor(isOwn: boolean): Buffer {
    const text = this.made.get(isOwn) ?? Buffer.from(this.make(isOwn));
    this.made.set(isOwn, text);
    return text;
  }
}

/**
 * Bytes that are read together for a reader that catches up: it may take one event at a time, and they are read again.
 */
const BYTES_AT_ONCE = 256 * 1024;

/** Leaves out deleted items. */
export class StreamEvents {
  constructor(
    private readonly pool: Reader,
    private readonly items: StreamItems,
  ) {}

  async read(arrivals: readonly SequencedChange[], epoch: string): Promise<Iterable<StreamEvent>> {
    const ofKind = (kind: TopicKind) => arrivals.filter((arrival) => arrival.kind === kind);
    const [points, firings] = await Promise.all([
      readValues(this.pool, keysOf(ofKind('sensor'))),
      this.items.firings.read(ofKind('firings').flatMap(({ items }) => items)),
    ]);
    return this.events(arrivals, points, firings, epoch);
  }

  /** Takes at least one item, up to a limited size. The last change may be cut. */
  async first(arrivals: readonly SequencedChange[], from: StreamPosition): Promise<SequencedChange[]> {
    const sizes = await this.readSizes(arrivals);
    const fitting: SequencedChange[] = [];
    let [taken, bytes] = [0, 0];
    for (const arrival of arrivals) {
      const items: number[] = [];
      for (const [at, item] of arrival.items.entries()) {
        if (isBehind({ ...arrival, index: at + 1 }, from)) {
          bytes += sizes.get(sizeKey(arrival, item)) ?? 0;
          if (taken > 0 && bytes > BYTES_AT_ONCE) return [...fitting, { ...arrival, items }];
          taken += 1;
        }
        items.push(item);
      }
      fitting.push(arrival);
    }
    return fitting;
  }

  private *events(
    arrivals: readonly SequencedChange[],
    points: ReadonlyMap<string, string>,
    firings: ReadonlyMap<number, StreamedFiring>,
    epoch: string,
  ): Generator<StreamEvent> {
    for (const { kind, thingId, round, id: row, items } of arrivals) {
      for (const [at, item] of items.entries()) {
        const position = { round, id: row, index: at + 1 };
        const firing = kind === 'firings' ? firings.get(item) : undefined;
        const content = kind === 'sensor' ? this.showPoint(points, thingId, item) : firing;
        if (content === undefined) continue;
        const name = kind === 'sensor' ? 'data' : 'firing';
        const id = formatCursor(epoch, position);
        const textOf = (isOwn: boolean) => {
          const shown = firing ? firing.show({ isOwn }) : content;
          return `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(shown)}\n\n`;
        };
        yield new StreamEvent(kind, thingId, position, textOf, firing?.triggerId);
      }
    }
  }

  private showPoint(values: ReadonlyMap<string, string>, sensorId: number, dateMs: number): object | undefined {
    const value = values.get(nameOf({ sensorId, dateMs }));
    return value === undefined ? undefined : this.items.toPoint({ id: dataPointId(dateMs), sensorId, dateMs, value });
  }

  private async readSizes(arrivals: readonly SequencedChange[]): Promise<ReadonlyMap<string, number>> {
    const ids = arrivals.filter(({ kind }) => kind === 'firings').flatMap(({ items }) => items);
    if (ids.length === 0) return readValueSizes(this.pool, keysOf(arrivals));
    return new Map([...(await this.items.firings.sizes(ids))].map(([id, bytes]) => [String(id), bytes]));
  }
}

function sizeKey({ kind, thingId }: SequencedChange, item: number): string {
  return kind === 'sensor' ? nameOf({ sensorId: thingId, dateMs: item }) : String(item);
}

function keysOf(arrivals: readonly SequencedChange[]): PointKey[] {
  const keys = arrivals.flatMap(({ thingId, items }) => items.map((dateMs) => ({ sensorId: thingId, dateMs })));
  return [...new Map(keys.map((key) => [nameOf(key), key])).values()];
}
