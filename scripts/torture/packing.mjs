// Packing of old points by workers, and at the same time by the command for operators, which is killed at times.
import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { admin, startAdmin } from './admin.mjs';

/** Points are packed when they are a minute old. */
export const PACKED_AT_ONCE = { CHUNK_AFTER_HOURS: '0.0167' };
const PAUSE_MS = 60_000;
const KILLED_WITHIN_MS = 2_500;

/** Packs until `isOver()`. Returns how often it was done, and how often it was killed. */
export async function packDuring(cluster, random, isOver) {
  const counts = { packed: 0, killed: 0, written: 0 };
  while (!isOver()) {
    const { child, ended } = startAdmin(cluster, ['pack'], PACKED_AT_ONCE);
    const killing =
      random.between(0, 3) === 0 && setTimeout(() => child.kill('SIGKILL'), random.between(500, KILLED_WITHIN_MS));
    const { status, stdout } = await ended;
    clearTimeout(killing);
    // Without MySQL it fails, as it should.
    if (status === 0) {
      counts.packed += 1;
      counts.written += JSON.parse(stdout).chunks;
    } else if (child.killed) {
      counts.killed += 1;
    }
    await sleep(PAUSE_MS);
  }
  return counts;
}

/**
 * Makes rows of all chunks, as before a downgrade, because the verdict counts rows. Stop all workers first: a worker
 * would pack the rows again. Returns the numbers of chunks and points before (`stored`) and after (`left`).
 */
export async function unpackAll(cluster, log) {
  const stored = await countChunks(cluster.mysqlUrl);
  log(`${stored.points} points are in ${stored.chunks} chunks; unpacking them`);
  await admin(cluster, ['unpack', '--wait', '0s'], { settings: { CHUNK_AFTER_HOURS: '0' } });
  return { stored, left: await countChunks(cluster.mysqlUrl) };
}

/** The number of chunks, and of the points in them. */
async function countChunks(mysqlUrl) {
  const database = await mysql.createConnection({ uri: mysqlUrl });
  try {
    const [[{ chunks, points }]] = await database.query(
      'SELECT COUNT(*) AS chunks, COALESCE(SUM(points), 0) AS points FROM data_chunks',
    );
    return { chunks: Number(chunks), points: Number(points) };
  } finally {
    await database.end();
  }
}
