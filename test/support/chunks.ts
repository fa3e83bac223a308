import assert from 'node:assert/strict';
import type { Pool } from 'mysql2/promise';
import { type Age, packSensor } from '../../src/points/point-store/packer';
import { buildSensor, type Fields, upload } from './factories';
import type { Platform, TestUser } from './platform';

/** Packing makes no difference between points: all rows but the newest are old enough. */
const ANY_AGE: Age = { beforeMs: Number.MAX_SAFE_INTEGER, ageMs: 1 };

/** Packs all points of these sensors that can be packed. */
export async function packAll({ container }: Platform, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) await packIn(container.database.pool, id);
}

/** The same in any database, for one sensor. */
export async function packIn(pool: Pool, id: string, age = ANY_AGE): Promise<void> {
  for await (const _ of packSensor(pool, Number(id), age));
}

/** The id of a new sensor of the user with these points, of which all but the newest are in chunks. */
export async function buildPackedSensor(
  platform: Platform,
  user: TestUser,
  data: readonly unknown[],
  fields: Fields = {},
): Promise<string> {
  const id = await buildSensor(user, fields);
  await upload(user, id, data);
  await packAll(platform, id);
  assert.ok((await chunksOf(platform, id)).length > 0, 'nothing was packed');
  return id;
}

/** The heads of the chunks of a sensor, the oldest first. */
export async function chunksOf(platform: Platform, id: string): Promise<{ firstMs: number; lastMs: number }[]> {
  const rows = await platform.query(
    'SELECT first_ms AS firstMs, last_ms AS lastMs FROM data_chunks WHERE sensor_id = ? ORDER BY last_ms',
    [id],
  );
  return rows.map(({ firstMs, lastMs }) => ({ firstMs: Number(firstMs), lastMs: Number(lastMs) }));
}

/** The number of rows of a sensor. */
export async function countRows(platform: Platform, id: string): Promise<number> {
  const [row] = await platform.query('SELECT COUNT(*) AS count FROM data_points WHERE sensor_id = ?', [id]);
  return Number(row?.count);
}
