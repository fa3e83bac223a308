import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { CarefulWork } from '../fairness/quarantine/careful-work';
import type { Clock } from '../platform/clock';
import type { Logger } from '../platform/logger';
import { DamagedChunk, findSensorsToPack, packSensor } from '../points';
import { blockFrom, IDS_PER_BLOCK, type PurgeStep, type PurgeTask, type Slice } from './purge-task';

/** One transaction each. */
const CHUNKS_PER_STEP = 20;
/** The next round waits for this part of the age, also after a start. */
const ROUNDS_PER_AGE = 24;
/** A new process waits for a part of a round: others may run a release without chunks. */
const STARTS_PER_ROUND = 6;

/** Sensor by sensor; the position is the last one that is done. */
export class PackOldPoints implements PurgeTask {
  readonly name: string;
  readonly kind = 'pack-old-points';
  private nextRoundMs: number;

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly ageMs: number,
    private readonly slice: Slice,
    private readonly logger: Pick<Logger, 'error'>,
    private readonly careful?: CarefulWork,
  ) {
    this.name = `${this.kind}-${slice.number}-of-${slice.of}`;
    this.nextRoundMs = clock.now() + ageMs / ROUNDS_PER_AGE / STARTS_PER_ROUND;
  }

  async isIdle(): Promise<boolean> {
    return this.clock.now() < this.nextRoundMs;
  }

  async step(position: number): Promise<PurgeStep> {
    const { from, end } = blockFrom(position + 1, this.slice);
    const beforeMs = this.clock.now() - this.ageMs;
    let [room, lastId] = [CHUNKS_PER_STEP, position];
    const age = { beforeMs, ageMs: this.ageMs };
    for (const id of await findSensorsToPack(this.pool, { from, end }, age, IDS_PER_BLOCK)) {
      const most = room;
      const pack = () => this.pack(id, beforeMs, most);
      room -= (await (this.careful ? this.careful.run({ kind: 'packing', id }, pack) : pack())) ?? 0;
      if (room === 0) return { deleted: 0, position: lastId, isDone: false };
      lastId = id;
    }
    const [[next]] = await this.pool.query<RowDataPacket[]>(
      'SELECT id FROM sensors WHERE id >= ? ORDER BY id LIMIT 1',
      [end],
    );
    if (next) return { deleted: 0, position: Number(next.id) - 1, isDone: false };
    this.nextRoundMs = this.clock.now() + this.ageMs / ROUNDS_PER_AGE;
    return { deleted: 0, position: 0, isDone: true };
  }

  /**
   * Returns the number of chunks. Rests after each as long as its packing took: otherwise MySQL changes pages faster
   * than the disk takes them, and everyone waits. A damaged chunk ends the sensor's packing.
   */
  private async pack(id: number, beforeMs: number, most: number): Promise<number> {
    let chunks = 0;
    let begun = performance.now();
    try {
      for await (const _ of packSensor(this.pool, id, { beforeMs, ageMs: this.ageMs })) {
        chunks += 1;
        await sleep(performance.now() - begun);
        if (chunks === most) break;
        begun = performance.now();
      }
    } catch (error) {
      if (!(error instanceof DamagedChunk)) throw error;
      this.logger.error({ sensor: id, err: error }, 'the points of a sensor cannot be packed');
    }
    return chunks;
  }
}
