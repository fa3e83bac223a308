import type { ChunkPoints } from './chunk/chunk-points';
import { openChunk, type UnopenedChunk } from './chunk-rows';
import type { ReadMemory } from './read-memory';

const DATE_BYTES = Uint32Array.BYTES_PER_ELEMENT;

/**
 * The points of a chunk in the order of reading. Its ends are known before it is opened. It stays open while its read
 * has room for it; otherwise only its dates stay, and it is opened again for each look at its values.
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

  /** Its points, for this moment: hold them no longer. Undefined if its body was left out. Throws DamagedChunk. */
  open(): ChunkPoints | undefined {
    const { body } = this.row;
    if (this.kept || !body) return this.kept;
    const points = this.memory.measure(() => openChunk({ ...this.row, body }));
    if (!this.isClosed && this.memory.mayKeep(points.heldBytes)) this.kept = points;
    return points;
  }

  /** Some of its values, by place. Other work runs afterwards if it is due. */
  async texts(places: readonly number[]): Promise<string[]> {
    const points = this.open();
    const texts = points ? this.memory.measure(() => places.map((place) => points.value(place))) : [];
    await this.memory.pauseIfDue();
    return texts;
  }

  /** Releases what is held of it: all of its points are behind. */
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
