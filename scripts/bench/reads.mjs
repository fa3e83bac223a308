// Reads of a sensor with a year of points, one a minute, and of very many own sensors. The benchmark `find` has searches.
import { create, registered } from './support/client.mjs';
import { Rows, timesOf } from './support/figures.mjs';
import { fillPoints, fillSensors } from './support/fill.mjs';

export const name = 'reads';
export const order = 4;
export const options = { owned: 200_000, 'year-of': 525_600 };

const CALLS = 30;
const FEW_CALLS = 5;
const DAY_S = 86_400;
const LIMITS = { one: 'limit: the last row by SQL', day: 'limit: 1,000 rows by SQL' };

export async function run({ port, pool, rounds, sizes: { owned, 'year-of': points }, log }) {
  const rows = new Rows();
  const client = await registered(port);
  const sensor = await create(client, 'sensor', { name: 'meter' });
  const everyMs = Math.floor((365 * DAY_S * 1000) / points);
  const untilMs = Math.floor(Date.now() / 60_000) * 60_000;
  await fillPoints(pool, { first: Number(sensor), sensors: 1, each: points, everyMs, untilMs });
  await fillSensors(pool, client.userId, owned);
  await pool.query('ANALYZE TABLE sensors');
  log(`  a sensor with ${points} points, and ${owned} others`);
  const path = `/sensors/${sensor}/data`;
  const range = (days, daysAgo = 0) =>
    `start_date=${untilMs / 1000 - (days + daysAgo) * DAY_S}&end_date=${untilMs / 1000 - daysAgo * DAY_S}`;
  const bySql = (limit) =>
    pool.query('SELECT * FROM data_points WHERE sensor_id = ? ORDER BY date_ms DESC LIMIT ?', [sensor, limit]);
  const ways = [
    ['the last point', `${path}?last=1`, LIMITS.one, CALLS],
    ['a day, 1,000 points a page', `${path}?${range(1, 100)}&per_page=1000`, LIMITS.day, CALLS],
    ['a day by the hour', `${path}?${range(1, 100)}&interval=3600`, LIMITS.day, CALLS],
    ['a year by the day', `${path}?${range(365)}&interval=86400&per_page=1000`, LIMITS.day, FEW_CALLS],
    ['page 100', `${path}?page=100&per_page=100`, LIMITS.day, CALLS],
    ['page 100, with the total', `${path}?page=100&per_page=100&total=1`, LIMITS.day, FEW_CALLS],
    [`a page of ${owned} own sensors`, '/sensors?per_page=100', LIMITS.day, CALLS],
    ['page 100 of them', '/sensors?per_page=100&page=100', LIMITS.day, CALLS],
  ];
  for (let round = 0; round < rounds; round += 1) {
    log(`  round ${round + 1} of ${rounds}`);
    rows.addTimes(LIMITS.one, await timesOf(CALLS, () => bySql(1)));
    rows.addTimes(LIMITS.day, await timesOf(CALLS, () => bySql(1_000)));
    for (const [what, url, limit, calls] of ways) {
      if (round === 0) await client.get(url); // warm-up
      rows.addTimes(what, await timesOf(calls, () => client.get(url)), limit);
    }
  }
  await client.close();
  return rows.list();
}
