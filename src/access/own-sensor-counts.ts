import { randomUUID } from 'node:crypto';
import type { RowDataPacket } from 'mysql2/promise';
import type { Transaction } from 'sequelize';
import { LruCache } from '../rules/lru-cache';
import { SensorListVersion } from '../storage/models/sensor-list-version.model';
import type { Reader } from '../storage/read-pool';

const USERS = 10_000;
const NO_VERSION = '';

/** Notes, in the transaction that creates or deletes sensors of a user, that there are more or fewer of them. */
export async function noteSensorCountChange(ownerId: number, transaction: Transaction): Promise<void> {
  await SensorListVersion.upsert({ ownerId, version: randomUUID() }, { transaction });
}

/**
 * How many sensors users own. Counting takes a quarter of a microsecond for each of them, so the count is kept for as
 * long as the version in the database says that it is right, whichever process changed it.
 */
export class OwnSensorCounts {
  private readonly known = new LruCache<number, { version: string | null; count: number }>(USERS);

  async count(pool: Reader, userId: number): Promise<number> {
    // Read first: a change that is committed between the two makes the next count a new one.
    const [rows] = await pool.query<RowDataPacket[]>('SELECT version FROM sensor_list_versions WHERE owner_id = ?', [
      userId,
    ]);
    const version = String(rows[0]?.version ?? NO_VERSION);
    const known = this.known.get(userId, () => ({ version: null, count: 0 }));
    if (known.version === version) return known.count;
    const [[counted]] = await pool.query<RowDataPacket[]>('SELECT COUNT(*) AS total FROM sensors WHERE owner_id = ?', [
      userId,
    ]);
    Object.assign(known, { version, count: Number(counted?.total) });
    return known.count;
  }
}
