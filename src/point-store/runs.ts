import type { ChunkPoints } from '../rules/chunk/chunk-points';
import { numberIn } from '../rules/number-in';

/** Consecutive points of a sensor, in the order of reading, from rows or from a chunk. */
export interface Run {
  readonly length: number;
  readonly isOfChunk: boolean;
  dateMs(index: number): number;
  /** Null if the value is so long that it is read by its key. */
  value(index: number): string | null;
  bytes(index: number): number;
  /** The value as a number; undefined if it is none. */
  number(index: number): number | undefined;
  /** True if the value may be a JSON object. */
  mayBeObject(index: number): boolean;
}

/** A row as it is read. */
export interface StoredRow {
  dateMs: number;
  bytes: number;
  /** Null if it is long. */
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

  value(index: number): string | null {
    return this.rows[index]?.value ?? null;
  }

  bytes(index: number): number {
    return this.rows[index]?.bytes ?? 0;
  }

  number(index: number): number | undefined {
    const value = this.value(index);
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

  dateMs(index: number): number {
    return this.chunk.points.dateMs(this.place(index));
  }

  value(index: number): string {
    return this.chunk.points.value(this.place(index));
  }

  bytes(index: number): number {
    return Buffer.byteLength(this.value(index));
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

/** The points of a chunk in the order of reading. */
export class OrderedChunk {
  constructor(
    readonly points: ChunkPoints,
    private readonly isDescending: boolean,
  ) {}

  get length(): number {
    return this.points.length;
  }

  place(index: number): number {
    return this.isDescending ? this.points.length - 1 - index : index;
  }

  dateMs(index: number): number {
    return this.points.dateMs(this.place(index));
  }
}
