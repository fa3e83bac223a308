import type { ChunkPoints } from './chunk/chunk-points';
import { openChunk, type UnopenedChunk } from './chunk-rows';
import type { ReadMemory } from './read-memory';

const DATE_BYTES = Uint32Array.BYTES_PER_ELEMENT;

/**
 * While the read has room, a chunk stays open; otherwise only its dates stay, and each look at its values opens it
 * again.
 */
export class OrderedChunk {
  private kept: ChunkPoints | undefined;
  /** In ms after the first date: a chunk spans 31 days at most. */
  private dates: Uint32Array | undefined;
  private isClosed = false;

  constructor(
    readonly row: UnopenedChunk,
    private readonly isDescending: boolean,
    private readonly memory: ReadMemory,
  ) {
    memory.hold(row.body?.length ?? 0);
  }

  get length(): number {
    return this.row.count;
  }

  place(index: number): number {
    return this.isDescending ? this.length - 1 - index : index;
  }

  dateMs(index: number): number {
    const place = this.place(index);
    if (place === 0) return this.row.firstMs;
    if (place === this.length - 1) return this.row.lastMs;
    if (!this.kept && !this.dates) this.openDates();
    return this.kept ? this.kept.dateMs(place) : this.row.firstMs + (this.dates?.[place] ?? 0);
  }

  /** Do not hold the points. Undefined if the body was left out. Throws DamagedChunk. */
  open(): ChunkPoints | undefined {
    const { body } = this.row;
    if (this.kept || !body) return this.kept;
    const points = this.memory.measure(() => openChunk({ ...this.row, body }));
    if (!this.isClosed && this.memory.mayKeep(points.heldBytes)) this.kept = points;
    return points;
  }

  async texts(places: readonly number[]): Promise<string[]> {
    const points = this.open();
    const texts = points ? this.memory.measure(() => places.map((place) => points.value(place))) : [];
    await this.memory.pauseIfDue();
    return texts;
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    if (this.kept) this.memory.drop(this.kept.heldBytes);
    this.memory.release((this.row.body?.length ?? 0) + (this.dates?.byteLength ?? 0));
    this.kept = undefined;
    this.dates = undefined;
  }

  private openDates(): void {
    const points = this.open();
    if (this.kept || !points) return;
    this.memory.hold(points.length * DATE_BYTES);
    this.dates = Uint32Array.from(points.dates, (dateMs) => dateMs - this.row.firstMs);
  }
}
