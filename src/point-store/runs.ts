import type { ChunkPoints } from '../rules/chunk/chunk-points';
import { numberIn } from '../rules/number-in';
import type { Summary } from './chunk-rows';
import type { OrderedChunk } from './ordered-chunk';

/** Where a value stands in a chunk. */
export interface ChunkPlace {
  chunk: OrderedChunk;
  place: number;
}

/** A value and its size in bytes. */
export interface Content {
  /** Null if it is long: it has to be read from its place in a chunk, or else by its key. */
  value: string | null;
  /** Undefined if the chunk that has it was left out. */
  bytes: number | undefined;
  at?: ChunkPlace;
}

/** Consecutive points of a sensor, in the order of reading, from rows or from a chunk. */
export interface Run {
  readonly length: number;
  readonly isOfChunk: boolean;
  dateMs(index: number): number;
  /** Some of the contents. Those of a chunk have no values of more bytes than `shortBytes`. */
  contents(from: number, to: number, shortBytes: number): Content[];
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

  contents(from: number, to: number): Content[] {
    return this.rows.slice(from, to);
  }

  number(index: number): number | undefined {
    const value = this.rows[index]?.value ?? null;
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
  /** Of a run whose numbers are read: the chunk stays open as long as the run. */
  private opened: ChunkPoints | undefined;

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

  contents(from: number, to: number, shortBytes: number): Content[] {
    const points = this.chunk.open();
    return Array.from({ length: to - from }, (_, index) => {
      if (!points) return { value: null, bytes: undefined };
      const place = this.place(from + index);
      const value = points.value(place);
      const bytes = Buffer.byteLength(value);
      return bytes <= shortBytes ? { value, bytes } : { value: null, bytes, at: { chunk: this.chunk, place } };
    });
  }

  number(index: number): number | undefined {
    return this.open()?.number(this.place(index));
  }

  mayBeObject(index: number): boolean {
    return this.open()?.mayBeObject(this.place(index)) ?? false;
  }

  private open(): ChunkPoints | undefined {
    this.opened ??= this.chunk.open();
    return this.opened;
  }

  private place(index: number): number {
    return this.chunk.place(this.from + index);
  }
}
