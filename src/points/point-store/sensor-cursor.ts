import type { TimeRange } from '../../edge/time-range';
import type { UnopenedChunk } from './chunk-rows';
import { OrderedChunk } from './ordered-chunk';
import type { ReadMemory } from './read-memory';
import { type Run, RunOfChunk, RunOfRows, type StoredRow } from './runs';

export interface Wanted {
  what: 'rows' | 'chunks';
  range: TimeRange;
}

/**
 * Merges rows and chunks of a sensor in order of date: a row replaces a point of its date. The cursor says what it
 * wants, and reads nothing itself. Rows of a range must be read before its chunks: the maintenance moves points from
 * rows into chunks between two statements, and never back.
 */
export class SensorCursor {
  private rows: readonly StoredRow[] = [];
  private nextRow = 0;
  private rowBytes = 0;
  private chunks: OrderedChunk[] = [];
  private open: OrderedChunk | undefined;
  private nextInChunk = 0;
  // Distances are dates, negative if the cursor descends.
  private readonly sign: 1 | -1;
  private readonly end: number;
  chunksAtOnce = 2;
  private taken: number;
  private rowsReach: number;
  private chunksReach: number;

  constructor(
    readonly sensorId: number,
    { startMs, endMs }: TimeRange,
    readonly isDescending: boolean,
    private readonly memory: ReadMemory,
  ) {
    this.sign = isDescending ? -1 : 1;
    this.end = isDescending ? -startMs : endMs;
    this.taken = (isDescending ? -endMs : startMs) - 1;
    this.rowsReach = this.taken;
    this.chunksReach = this.taken;
  }

  /** Undefined if the next run is known, or nothing is left. */
  get wanted(): Wanted | undefined {
    if (!this.open && this.chunksReach < this.rowsReach) {
      return { what: 'chunks', range: this.rangeAfter(Math.max(this.chunksReach, this.taken), this.rowsReach) };
    }
    const isEmpty = this.nextRow >= this.rows.length && this.chunkAt() > this.rowsReach;
    if (!isEmpty || this.rowsReach >= this.end) return undefined;
    return { what: 'rows', range: this.rangeAfter(this.rowsReach, this.end) };
  }

  /** Takes the wanted rows in order; `isAll` if the range has no more. */
  takeRows(rows: readonly StoredRow[], isAll: boolean): void {
    // Chunks that were read before these rows may lack what has been moved since.
    this.close();
    this.rows = rows;
    const bytes = rows.reduce((sum, { value }) => sum + 2 * (value?.length ?? 0), 0);
    this.memory.hold(bytes);
    this.rowBytes = bytes;
    this.chunksReach = this.rowsReach;
    const last = rows.at(-1);
    this.rowsReach = isAll || !last ? this.end : this.distance(last.dateMs);
  }

  /** Takes the wanted chunks in order; `isAll` if the range has no more. */
  takeChunks(chunks: readonly UnopenedChunk[], isAll: boolean): void {
    this.chunks = chunks.map((row) => new OrderedChunk(row, this.isDescending, this.memory));
    this.chunksAtOnce *= 2;
    const last = chunks.at(-1);
    const reach = last ? this.distance(this.isDescending ? last.firstMs : last.lastMs) : this.rowsReach;
    this.chunksReach = isAll ? this.rowsReach : Math.min(reach, this.rowsReach);
    this.openNext();
  }

  /** Undefined if something is wanted first, or nothing is left. */
  run(): Run | undefined {
    const row = this.rows[this.nextRow];
    const rowAt = row ? this.distance(row.dateMs) : this.rowsReach + 1;
    const chunkAt = this.chunkAt();
    if (this.open && chunkAt < rowAt && chunkAt <= this.rowsReach) {
      const last = Math.min(rowAt - 1, this.rowsReach);
      return new RunOfChunk(this.open, this.nextInChunk, this.placeAfter(this.open, last));
    }
    const rows = this.rows.slice(this.nextRow, this.rowAfter(Math.min(chunkAt, this.chunksReach)));
    return rows.length > 0 ? new RunOfRows(this.sensorId, rows) : undefined;
  }

  leave(dateMs: number): void {
    this.taken = this.distance(dateMs);
    this.nextRow = this.rowAfter(this.taken);
    if (this.open) this.nextInChunk = this.placeAfter(this.open, this.taken);
    this.openNext();
  }

  close(): void {
    this.memory.release(this.rowBytes);
    this.rowBytes = 0;
    this.rows = [];
    this.nextRow = 0;
    for (const chunk of [this.open, ...this.chunks]) chunk?.close();
    this.chunks = [];
    this.open = undefined;
  }

  distance(dateMs: number): number {
    return this.sign * dateMs;
  }

  private openNext(): void {
    while (!this.open || this.nextInChunk >= this.open.length) {
      this.open?.close();
      this.open = this.chunks.shift();
      if (!this.open) return;
      this.nextInChunk = this.placeAfter(this.open, this.taken);
    }
  }

  private chunkAt(): number {
    return this.open ? this.distance(this.open.dateMs(this.nextInChunk)) : Number.POSITIVE_INFINITY;
  }

  private rowAfter(distance: number): number {
    return firstPlace(this.nextRow, this.rows.length, (at) => this.distance(this.rows[at]?.dateMs ?? 0) > distance);
  }

  private placeAfter(chunk: OrderedChunk, distance: number): number {
    // Ends are known before the chunk is opened.
    if (this.distance(chunk.dateMs(0)) > distance) return 0;
    if (this.distance(chunk.dateMs(chunk.length - 1)) <= distance) return chunk.length;
    return firstPlace(0, chunk.length, (at) => this.distance(chunk.dateMs(at)) > distance);
  }

  private rangeAfter(after: number, until: number): TimeRange {
    const [from, to] = [this.sign * (after + 1), this.sign * until];
    return { startMs: Math.min(from, to), endMs: Math.max(from, to) };
  }
}

function firstPlace(from: number, to: number, isAfter: (at: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isAfter(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
