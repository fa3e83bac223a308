import { gzipSync } from 'node:zlib';
import type { Client } from '../../client';

/** Limits of the platform are 10,000 points and 10 MB. */
const MAX_POINTS = 10_000;
const MAX_CHARACTERS = 4_000_000;
/** The platform refuses bodies that are compressed more than 200-fold. */
const MAX_RATIO = 100;

/** Points of several sensors that go out in one request. */
export class UploadBatch {
  private bySensor = new Map<string, { value: string; date: string }[]>();
  private points = 0;
  private characters = 0;

  /** True if the batch is full. */
  add(sensorId: string, dateMs: number, value: string): boolean {
    const point = { value, date: new Date(dateMs).toISOString() };
    const known = this.bySensor.get(sensorId);
    if (known) known.push(point);
    else this.bySensor.set(sensorId, [point]);
    this.points += 1;
    this.characters += value.length + 50;
    return this.points >= MAX_POINTS || this.characters >= MAX_CHARACTERS;
  }

  /** Empties the batch; returns how many points were stored, once the platform has acknowledged them. */
  async send(client: Client): Promise<number> {
    const { points } = this;
    if (points === 0) return 0;
    const sensors = [...this.bySensor].map(([sensor_id, data]) => ({ sensor_id, data }));
    const json = JSON.stringify({ sensors });
    const packed = gzipSync(json, { level: 1 });
    const isPacked = json.length < packed.length * MAX_RATIO;
    const headers = { 'Content-Type': 'application/json', ...(isPacked && { 'Content-Encoding': 'gzip' }) };
    await client.fetch('/sensors/data', { method: 'POST', headers, body: isPacked ? packed : json });
    this.bySensor = new Map();
    this.points = 0;
    this.characters = 0;
    return points;
  }
}
