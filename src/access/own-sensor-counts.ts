import { randomUUID } from 'node:crypto';
import type { RowDataPacket } from 'mysql2/promise';
import type { Transaction } from 'sequelize';
import { LruCache } from '../platform/lru-cache';
import { SensorListVersion } from '../storage/models/sensor-list-version.model';
import type { Reader } from '../storage/read-pool';
import type { RunSql } from '../storage/transaction';
import { noteSensorChange } from './sensor-changes';

const USERS = 10_000;
const NO_VERSION = '';

/** Records that the number of a user's sensors changes, in the transaction that creates or deletes them. */
export async function noteSensorCountChange(ownerId: number, transaction: Transaction): Promise<void> {
  await noteSeriesChange(ownerId, transaction);
  await noteSensorChange(ownerId, transaction);
}

/** Records that a series of a user leads elsewhere, in the transaction of the change: its cached sensor is outdated. */
export async function noteSeriesChange(ownerId: number, transaction: Transaction): Promise<void> {
  await SensorListVersion.upsert({ ownerId, version: randomUUID() }, { transaction });
}

/** Records that sensors of a user were made, in a transaction of the plain pool. Belongs at its end, because it locks rows of the user. */
export async function noteNewSensors(run: RunSql, ownerId: number): Promise<void> {
  const row = [ownerId, randomUUID()];
  const replace = 'ON DUPLICATE KEY UPDATE version = VALUES(version)';
  await run(`INSERT INTO sensor_list_versions (owner_id, version) VALUES (?) ${replace}`, [row]);
  await run(`INSERT INTO selector_owners (owner_id, version) VALUES (?) ${replace}`, [row]);
}

/**
 * The number of sensors that each user owns. Counting takes a quarter of a microsecond per sensor, so the count is
 * cached. An entry is valid as long as the version in MySQL is unchanged, whichever process changes it.
 */
export class OwnSensorCounts {
  private readonly known = new LruCache<number, { version: string; count: number }>(USERS);

  async count(pool: Reader, userId: number): Promise<number> {
    // Read first: a change that is committed between the two reads makes the next call count again.
    const [rows] = await pool.query<RowDataPacket[]>('SELECT version FROM sensor_list_versions WHERE owner_id = ?', [
      userId,
    ]);
    const version = String(rows[0]?.version ?? NO_VERSION);
    const known = this.known.find(userId);
    if (known?.version === version) return known.count;
    const [[counted]] = await pool.query<RowDataPacket[]>('SELECT COUNT(*) AS total FROM sensors WHERE owner_id = ?', [
      userId,
    ]);
    const count = Number(counted?.total);
    this.known.set(userId, { version, count });
    return count;
  }
}
