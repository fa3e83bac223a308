import { numberIn } from '../../edge/number-in';
import type { ChunkPoints } from './chunk/chunk-points';
import type { Summary } from './chunk-rows';
import type { OrderedChunk } from './ordered-chunk';
import type { PointKey } from './point-statements';

export interface ChunkPlace {
  chunk: OrderedChunk;
  place: number;
}

export interface FoundPoint extends PointKey {
  /** Null if it is long: read it from the chunk, or else by key. */
  value: string | null;
  /** Undefined if its chunk was left out. */
  bytes: number | undefined;
  at: ChunkPlace | undefined;
}

/** Consecutive points in the order of reading. */
export interface Run {
  readonly length: number;
  readonly isOfChunk: boolean;
  dateMs(index: number): number;
  /** Points of a chunk have no values above `shortBytes`. */
  points(from: number, to: number, shortBytes: number): FoundPoint[];
  /** Undefined if the value is no number. */
  number(index: number): number | undefined;
  mayBeObject(index: number): boolean;
  /** Whether the value is this text. */
  is(index: number, text: string): boolean;
  /** Set if it is known without opening a chunk. */
  readonly summary?: Summary;
}

export interface StoredRow {
  dateMs: number;
  bytes: number;
  /** Null if it is long. */
  value: string | null;
  mayBeObject: boolean;
}

export class RunOfRows implements Run {
  readonly isOfChunk = false;

  constructor(
    private readonly sensorId: number,
    private readonly rows: readonly StoredRow[],
  ) {}

  get length(): number {
    return this.rows.length;
  }

  dateMs(index: number): number {
    return this.rows[index]?.dateMs ?? 0;
  }

  points(from: number, to: number): FoundPoint[] {
    const { sensorId } = this;
    return this.rows.slice(from, to).map(({ dateMs, value, bytes }) => {
      return { sensorId, dateMs, value, bytes, at: undefined };
    });
  }

  number(index: number): number | undefined {
    const value = this.rows[index]?.value ?? null;
    return value === null ? undefined : numberIn(value);
  }

  mayBeObject(index: number): boolean {
    return this.rows[index]?.mayBeObject ?? false;
  }

  is(index: number, text: string): boolean {
    return this.rows[index]?.value === text;
  }
}

export class RunOfChunk implements Run {
  readonly isOfChunk = true;
  readonly length: number;
  /** A run whose numbers are read keeps the chunk open. */
  private opened: ChunkPoints | undefined;

  constructor(
    private readonly chunk: OrderedChunk,
    private readonly from: number,
    to: number,
  ) {
    this.length = to - from;
  }

  /** Undefined unless the run is the whole chunk, and all points are numbers. */
  get summary(): Summary | undefined {
    return this.length === this.chunk.length ? this.chunk.row.summary : undefined;
  }

  dateMs(index: number): number {
    return this.chunk.dateMs(this.from + index);
  }

  points(from: number, to: number, shortBytes: number): FoundPoint[] {
    const { chunk } = this;
    const { sensorId } = chunk.row;
    const points = chunk.open();
    const found: FoundPoint[] = [];
    for (let index = from; index < to; index += 1) {
      const dateMs = this.dateMs(index);
      const place = this.place(index);
      const value = points?.value(place);
      const bytes = value === undefined ? undefined : Buffer.byteLength(value);
      if (value !== undefined && bytes !== undefined && bytes <= shortBytes) {
        found.push({ sensorId, dateMs, value, bytes, at: undefined });
      } else {
        found.push({ sensorId, dateMs, value: null, bytes, at: points && { chunk, place } });
      }
    }
    return found;
  }

  number(index: number): number | undefined {
    return this.open()?.number(this.place(index));
  }

  mayBeObject(index: number): boolean {
    return this.open()?.mayBeObject(this.place(index)) ?? false;
  }

  is(index: number, text: string): boolean {
    return this.open()?.is(this.place(index), text) ?? false;
  }

  private open(): ChunkPoints | undefined {
    this.opened ??= this.chunk.open();
    return this.opened;
  }

  private place(index: number): number {
    return this.chunk.place(this.from + index);
  }
}
