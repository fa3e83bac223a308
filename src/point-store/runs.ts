import type { ChunkPoints } from '../rules/chunk/chunk-points';
import { numberIn } from '../rules/number-in';
import { type ChunkRow, openChunk, type Summary } from './chunk-rows';

/** Consecutive points of a sensor, in the order of reading, from rows or from a chunk. */
export interface Run {
  readonly length: number;
  readonly isOfChunk: boolean;
  dateMs(index: number): number;
  /** The value and its size. A long value of a row is null: it has to be read by its key. */
  content(index: number): { value: string | null; bytes: number };
  /** The value as a number; undefined if it is none. */
  number(index: number): number | undefined;
  /** True if the value may be a JSON object. */
  mayBeObject(index: number): boolean;
  /** Of all its points, if it is known without opening a chunk. */
  readonly summary?: Summary;
}

/** A row of `data_points`. */
export interface StoredRow {
  dateMs: number;
  bytes: number;
  /** Null if the value is long. */
  value: string | null;
  mayBeObject: boolean;
}

export class RunOfRows implements Run {
  readonly isOfChunk = false;

  constructor(private readonly rows: readonly StoredRow[]) {}

  get length(): number {
    return this.rows.length;
  }

  dateMs(index: number): number {
    return this.rows[index]?.dateMs ?? 0;
  }

  content(index: number): { value: string | null; bytes: number } {
    return this.rows[index] ?? { value: null, bytes: 0 };
  }

  number(index: number): number | undefined {
    const { value } = this.content(index);
    return value === null ? undefined : numberIn(value);
  }

  mayBeObject(index: number): boolean {
    return this.rows[index]?.mayBeObject ?? false;
  }
}

/** Points of a chunk from one place in the order of reading to another. */
export class RunOfChunk implements Run {
  readonly isOfChunk = true;
  readonly length: number;

  constructor(
    private readonly chunk: OrderedChunk,
    private readonly from: number,
    to: number,
  ) {
    this.length = to - from;
  }

  /** Of all points of the run; undefined unless they are the whole chunk, and all of them numbers. */
  get summary(): Summary | undefined {
    return this.length === this.chunk.length ? this.chunk.row.summary : undefined;
  }

  dateMs(index: number): number {
    return this.chunk.dateMs(this.from + index);
  }

  content(index: number): { value: string; bytes: number } {
    const value = this.chunk.points.value(this.place(index));
    return { value, bytes: Buffer.byteLength(value) };
  }

  number(index: number): number | undefined {
    return this.chunk.points.number(this.place(index));
  }

  mayBeObject(index: number): boolean {
    return this.chunk.points.mayBeObject(this.place(index));
  }

  private place(index: number): number {
    return this.chunk.place(this.from + index);
  }
}

/** The points of a chunk in the order of reading. Their ends are known before it is opened. */
export class OrderedChunk {
  private opened?: ChunkPoints;

  constructor(
    readonly row: ChunkRow,
    private readonly isDescending: boolean,
  ) {}

  get length(): number {
    return this.row.count;
  }

  get points(): ChunkPoints {
    this.opened ??= openChunk(this.row);
    return this.opened;
  }

  place(index: number): number {
    return this.isDescending ? this.length - 1 - index : index;
  }

  dateMs(index: number): number {
    const place = this.place(index);
    if (place === 0) return this.row.firstMs;
    return place === this.length - 1 ? this.row.lastMs : this.points.dateMs(place);
  }
}
