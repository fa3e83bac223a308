// How many points are accepted: stored durably and, if there is a trigger, put in the inbox by the same commit.
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, create, openClient, registered } from './support/client.mjs';
import { inParallel, Rows, rate } from './support/figures.mjs';

export const name = 'uploads';
export const order = 1;

const SENSORS = 50;
const MANY = 1_000;
const MEASURE_MS = 1_000;
const LIMITS = {
  one: 'limit: upserts of 1,000 rows, 1 connection',
  four: 'limit: upserts of 1,000 rows, 4 connections',
  http: 'limit: node:http, single points, 50 in flight',
};
const WAYS = [
  { what: '1,000 points a request, 1 stream', streams: 1, size: MANY, against: LIMITS.one },
  { what: '1,000 points a request, 8 streams', streams: 8, size: MANY, against: LIMITS.four },
  { what: 'single points, 50 in flight', streams: SENSORS, size: 1, against: LIMITS.http },
];

/** The yardstick does not change with the platform's own table. */
const BARE_TABLE = `CREATE TABLE bench_points (
  sensor_id BIGINT UNSIGNED NOT NULL, date_ms BIGINT NOT NULL, id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  value TEXT NOT NULL, received_ms BIGINT NOT NULL, PRIMARY KEY (sensor_id, date_ms), UNIQUE KEY bench_points_id (id))`;

/** Each round measures the limits of the machine and then the platform. */
export async function run({ port, barePort, pool, rounds }) {
  const rows = new Rows();
  const client = await registered(port);
  const bare = openClient(barePort);
  await pool.query(BARE_TABLE);
  const plain = await makeSensors(client, 0);
  const watched = await makeSensors(client, 1);
  for (let round = -1; round < rounds; round += 1) {
    const kept = round < 0 ? new Rows() : rows; // the first round is a warm-up
    await measureLimits(kept, pool, bare);
    for (const way of WAYS) await measure(kept, client, plain, way, 'no trigger');
    for (const way of WAYS) {
      const start = performance.now();
      const count = await measure(kept, client, watched, way, '1 trigger');
      await untilEvaluated(pool);
      const perSecond = (count * 1000) / (performance.now() - start);
      kept.add(`${way.what}, evaluated too`, 'points/s', perSecond, way.against);
    }
  }
  await Promise.all([client.close(), bare.close()]);
  return rows.list();
}

async function measureLimits(rows, pool, bare) {
  for (const [what, streams] of [
    [LIMITS.one, 1],
    [LIMITS.four, 4],
  ]) {
    rows.add(what, 'points/s', await rate(MEASURE_MS, streams, (stream) => upsert(pool, stream)));
  }
  const post = async () => {
    await bare.send('/', bodyOf(takeDates(1)));
    return 1;
  };
  rows.add(LIMITS.http, 'requests/s', await rate(MEASURE_MS, SENSORS, post));
  const many = async () => {
    await bare.send('/', bodyOf(takeDates(MANY)));
    return MANY;
  };
  rows.add('limit: node:http, 1,000 points a request, 1 stream', 'points/s', await rate(MEASURE_MS, 1, many));
}

async function upsert(pool, stream) {
  const values = takeDates(MANY).map((ms) => [stream + 1, ms, valueAt(ms), ms]);
  await pool.query(
    `INSERT INTO bench_points (sensor_id, date_ms, value, received_ms) VALUES ?
     ON DUPLICATE KEY UPDATE value = VALUES(value), received_ms = VALUES(received_ms)`,
    [values],
  );
  return MANY;
}

async function measure(rows, client, sensors, { what, streams, size, against }, kind) {
  let count = 0;
  const perSecond = await rate(MEASURE_MS, streams, async (stream) => {
    await client.send(`/sensors/${sensors[stream]}/data`, bodyOf(takeDates(size)));
    count += size;
    return size;
  });
  rows.add(`${what}, ${kind}`, size === 1 ? 'requests/s' : 'points/s', perSecond, against);
  return count;
}

async function makeSensors(client, triggers) {
  const expression = 'sensor_data_value > 30 and last_sensor_data_value <= 30';
  const ids = await Promise.all(
    Array.from({ length: triggers }, (_, index) => create(client, 'trigger', { name: `warm ${index}`, expression })),
  );
  return inParallel(Array.from({ length: SENSORS }), 8, async () => {
    const sensor = await create(client, 'sensor', { name: 'thermometer' });
    for (const id of ids) await connect(client, sensor, id);
    return sensor;
  });
}

async function untilEvaluated(pool) {
  for (;;) {
    const [[row]] = await pool.query('SELECT EXISTS (SELECT 1 FROM inbox_batches) AS isWaiting');
    if (Number(row.isWaiting) === 0) return;
    await sleep(20);
  }
}

let lastMs = Date.now() - 86_400_000;

/** Unused dates, so that each point is a row of its own. */
function takeDates(count) {
  lastMs += count;
  return Array.from({ length: count }, (_, index) => lastMs - count + index + 1);
}

function bodyOf(dates) {
  return `{"data":[${dates.map((ms) => `{"value":"${valueAt(ms)}","date":${ms / 1000}}`).join()}]}`;
}

/** Always less than what the trigger fires at. */
function valueAt(ms) {
  return String((ms % 300) / 10);
}
