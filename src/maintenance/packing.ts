import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../platform/clock';
import { deleteCopiedChunks, findSensorsWithChunks, packSensor, writeChunksAsRows } from '../points';

export interface PackingResult {
  sensors: number;
  chunks: number;
}

/** Packs old points, or makes rows of all chunks, while the platform runs. */
export class Packing {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly ageMs: number,
  ) {}

  /** What workers would pack within hours. */
  async pack(): Promise<PackingResult> {
    const beforeMs = this.clock.now() - this.ageMs;
    let chunks = 0;
    const [rows] = await this.pool.query<RowDataPacket[]>('SELECT id FROM sensors ORDER BY id');
    const ids = rows.map(({ id }) => Number(id));
    for (const id of ids) chunks += await this.packOne(id, beforeMs);
    return { sensors: ids.length, chunks };
  }

  /** Returns the number of chunks. */
  async packOne(sensorId: number, beforeMs = this.clock.now() - this.ageMs): Promise<number> {
    let chunks = 0;
    for await (const _ of packSensor(this.pool, sensorId, { beforeMs, ageMs: this.ageMs })) chunks += 1;
    return chunks;
  }

  /** Writes rows, waits for reads that began before, and then deletes the chunks. Repeatable after a kill. */
  async unpack(waitMs: number): Promise<PackingResult> {
    const ids = await findSensorsWithChunks(this.pool);
    for (const id of ids) await writeChunksAsRows(this.pool, id);
    await sleep(waitMs);
    let chunks = 0;
    for (const id of ids) chunks += await deleteCopiedChunks(this.pool, id);
    return { sensors: ids.length, chunks };
  }
}
