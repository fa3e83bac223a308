// Bytes a point takes in rows and in chunks, by corpus, read from the sizes of the tablespaces; what packing costs; and
// reads of a year from both.
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import { create, registered } from './support/client.mjs';
import { CORPORA } from './support/corpora.mjs';
import { Rows, timesOf } from './support/figures.mjs';

export const name = 'storage';
export const order = 9;
export const isLong = true;
export const options = { year: 525_600, copies: 4, meters: 100, daily: 43_200 };

const require = createRequire(import.meta.url);
const CALLS = 5;
/** How many times the points of the meters are stored and packed: a worker packs when they are a day older. */
const DAYS = 30;
/** Of `stat`, on every file system. */
const BYTES_PER_BLOCK = 512;
const AGE = { beforeMs: Number.MAX_SAFE_INTEGER, ageMs: 1 };
const ROWS_PER_STATEMENT = 5_000;
const [FIRST] = Object.keys(CORPORA);

export async function run({ port, pool, costs, sizes: { year, copies, meters, daily }, rounds, log, ...server }) {
  const { packSensor } = require('../../dist/src/points/point-store/packer.js');
  const rows = new Rows();
  const client = await registered(port);
  for (const [corpus, pointsOf] of Object.entries(CORPORA)) {
    log(`  ${corpus}`);
    const ids = await createMeters(client, copies);
    for (const [sensor, id] of ids.entries()) await store(pool, id, pointsOf(year, sensor));
    const points = year * copies;
    await pool.query('ALTER TABLE data_points FORCE');
    rows.add(`rows: ${corpus}`, 'bytes a point', (await bytesOf(server, 'data_points')) / points);
    if (corpus === FIRST) await measureReads(rows, client, ids[0], 'rows', rounds);
    const end = await costs.start();
    const [start, own] = [performance.now(), process.cpuUsage()];
    for (const id of ids) for await (const _ of packSensor(pool, id, AGE));
    const { user, system } = process.cpuUsage(own);
    const { cpu } = await end();
    const thousands = points / 1_000;
    rows.add(`packing, process: ${corpus}`, 'ms of CPU for 1,000 points', (user + system) / 1_000 / thousands);
    rows.add(`packing, MySQL: ${corpus}`, 'ms of CPU for 1,000 points', (cpu.MySQL * 1_000) / thousands);
    rows.add(`packing, elapsed: ${corpus}`, 'ms for 1,000 points', (performance.now() - start) / thousands);
    if (corpus === FIRST) await measureReads(rows, client, ids[0], 'chunks', rounds);
    await empty(pool);
    const byDays = { pointsOf, ids: await createMeters(client, meters), daily, packSensor };
    rows.add(`chunks: ${corpus}`, 'bytes a point', await bytesByDays(pool, server, byDays));
    await empty(pool);
  }
  await client.close();
  return rows.list();
}

async function createMeters(client, count) {
  const ids = [];
  while (ids.length < count) ids.push(Number(await create(client, 'sensor', { name: 'meter' })));
  return ids;
}

async function store(pool, id, points) {
  for (let at = 0; at < points.length; at += ROWS_PER_STATEMENT) {
    await pool.query('INSERT INTO data_points (sensor_id, date_ms, value, delay_s) VALUES ?', [
      points.slice(at, at + ROWS_PER_STATEMENT).map(([dateMs, value, delayS]) => [id, dateMs, value, delayS]),
    ]);
  }
}

async function empty(pool) {
  await pool.query('TRUNCATE TABLE data_chunks');
  await pool.query('TRUNCATE TABLE data_points');
}

/**
 * Bytes of a point in chunks that are written as workers do: each day the points of all meters are stored, and those
 * that are a day old are packed, so that chunks which are half full are written again. Rows are not counted.
 */
async function bytesByDays(pool, server, { pointsOf, ids, daily, packSensor }) {
  const points = ids.map((_, sensor) => pointsOf(daily, sensor));
  const perDay = Math.ceil(daily / DAYS);
  for (let at = 0; at < daily; at += perDay) {
    const dayMs = points[0][Math.min(at + perDay, daily) - 1][0] - points[0][at][0];
    for (const [sensor, id] of ids.entries()) await store(pool, id, points[sensor].slice(at, at + perDay));
    const age = { beforeMs: points[0][at][0], ageMs: dayMs };
    for (const id of ids) for await (const _ of packSensor(pool, id, age));
  }
  const [[{ packed }]] = await pool.query('SELECT SUM(points) AS packed FROM data_chunks');
  return (await bytesOf(server, 'data_chunks')) / Number(packed);
}

/** What the file of the table occupies on the disk: compressed pages occupy less than the file is long. */
async function bytesOf({ folder, mysqlUrl }, table) {
  const url = Object.assign(new URL(mysqlUrl), { username: 'root' });
  const connection = await mysql.createConnection(url.href);
  await connection.query(`FLUSH TABLES ${table} FOR EXPORT`); // pages that are not written yet are not counted
  await connection.query('UNLOCK TABLES');
  await connection.end();
  execFileSync('sync');
  const file = readdirSync(folder, { recursive: true }).find((path) => path.endsWith(`/${table}.ibd`));
  if (!file) throw new Error(`no file of ${table} in ${folder}`);
  return statSync(join(folder, file)).blocks * BYTES_PER_BLOCK;
}

async function measureReads(rows, client, sensor, layout, rounds) {
  const path = `/sensors/${sensor}/data`;
  const ways = [
    ['a year by the day', `${path}?interval=86400&per_page=1000`],
    ['a year by the day, in Berlin', `${path}?interval=86400&per_page=1000&timezone=Europe/Berlin`],
    ['all of a year as NDJSON', `${path}.ndjson`],
    ['a page of 1,000', `${path}?per_page=1000&page=100`],
    ['the last point', `${path}?last=1`],
  ];
  for (const [what, url] of ways) {
    await client.read(url); // warm-up
    for (let round = 0; round < rounds; round += 1) {
      rows.addTimes(`${layout}: ${what}`, await timesOf(CALLS, () => client.read(url)), `rows: ${what}`);
    }
  }
}
