// What gateways send: batches of points of many sensors, one value each, every sensor with a trigger. A few of them fire and
// are delivered. Stored and evaluated, without a growing backlog.
import { setTimeout as sleep } from 'node:timers/promises';
import { createUploadKey, registered } from './support/client.mjs';
import { Rows } from './support/figures.mjs';
import { headOf, openConnections } from './support/lean-client.mjs';
import {
  batchOf,
  bodyOf,
  currentDate,
  during,
  FiringSensors,
  makeSensors,
  nextMs,
  STREAMS,
  sendBatches,
  sendSingles,
  singleOf,
  startReceiver,
  untilEvaluated,
} from './support/meters.mjs';

export const name = 'gateway';
export const order = 0;

const SINGLE_CONNECTIONS = 64;
/** A point that fires and is not delivered by then is counted, and has no time. */
const DELIVERED_WITHIN_MS = 10_000;
const LIMITS = {
  batches: (size) => `limit: upserts of ${size} rows, 2 connections`,
  single: 'limit: node:http, single points, 64 connections',
};
/** The yardstick does not change with the platform's own table. */
const BARE_TABLE = `CREATE TABLE bench_gateway (
  sensor_id BIGINT UNSIGNED NOT NULL, date_ms BIGINT NOT NULL, id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  value TEXT NOT NULL, received_ms BIGINT NOT NULL, PRIMARY KEY (sensor_id, date_ms), UNIQUE KEY bench_gateway_id (id))`;

/** Each round measures the limits of the machine and then the platform. */
export async function run({ port, barePort, pool, rounds, seconds, sensors: count, log, costs }) {
  const rows = new Rows();
  const client = await registered(port);
  const receiver = await startReceiver();
  await pool.query(BARE_TABLE);
  const watched = await makeSensors(client, count, receiver.url);
  const plain = await makeSensors(client, SINGLE_CONNECTIONS);
  log(`  ${count} sensors with a trigger and a notification each`);
  const oneKey = Array(plain.length).fill(await keyHeaders(client));
  const keys = await Promise.all(plain.map((sensor) => keyHeaders(client, [sensor])));
  const bench = { port, barePort, pool, seconds, costs, client, receiver };
  for (let round = -1; round < rounds; round += 1) {
    const kept = round < 0 ? new Rows() : rows; // the first round is a warm-up
    log(`  round ${round + 1} of ${rounds}`);
    for (const size of [1_000, 250]) {
      await measureUpserts(kept, bench, watched, size);
      const heldRate = await measureBatches(kept, bench, watched, size);
      await measureLatency(kept, bench, watched, size, heldRate);
    }
    await measureBareSingle(kept, bench);
    const sessions = plain.map(() => ({ 'X-SESSION_ID': client.session }));
    await measureSingle(kept, bench, watched.slice(0, SINGLE_CONNECTIONS), 'trigger each', sessions);
    await measureSingle(kept, bench, plain, 'no trigger', sessions);
    const against = 'single points, no trigger, evaluated';
    await measureSingle(kept, bench, plain, 'no trigger, one key', oneKey, against);
    await measureSingle(kept, bench, plain, 'no trigger, a key for each sensor', keys, against);
  }
  await Promise.all([client.close(), receiver.close()]);
  return rows.list();
}

async function measureUpserts(rows, { pool, seconds }, sensors, size) {
  const perSecond = await during(seconds, STREAMS, async (stream) => {
    const ms = nextMs();
    const values = batchOf(sensors, stream, size).map((sensor) => [sensor, ms, '21.5', ms]);
    await pool.query(
      `INSERT INTO bench_gateway (sensor_id, date_ms, value, received_ms) VALUES ?
       ON DUPLICATE KEY UPDATE value = VALUES(value), received_ms = VALUES(received_ms)`,
      [values],
    );
    return size;
  });
  rows.add(LIMITS.batches(size), 'points/s', perSecond.rate);
}

async function measureBatches(rows, { port, pool, seconds, costs, client, receiver }, sensors, size) {
  const before = receiver.count();
  const end = await costs.start();
  const { sum, elapsedMs } = await sendBatches({ port, seconds, client }, sensors, size);
  const drainedMs = await untilEvaluated(pool);
  const used = await end();
  const what = `batches of ${size}`;
  const heldRate = (sum * 1000) / (elapsedMs + drainedMs);
  rows.add(`${what}, evaluated`, 'points/s', heldRate, LIMITS.batches(size));
  rows.add(`${what}: still to evaluate at the end`, 'ms', drainedMs);
  rows.add(`${what}: deliveries`, 'per 1,000', ((receiver.count() - before) * 1000) / sum);
  addCosts(rows, what, used, sum);
  return heldRate;
}

/**
 * How long a firing point takes to its receiver while batches come at half of the rate that is held. The time counts from when
 * its batch was to be sent, so that a platform that holds up the sender is charged for it.
 */
async function measureLatency(rows, { port, seconds, client, receiver, pool }, sensors, size, heldRate) {
  const head = headOf('/sensors/data', { 'X-SESSION_ID': client.session });
  const connections = openConnections(port, STREAMS);
  const firing = new FiringSensors();
  const everyMs = (size * 1000 * STREAMS) / (heldRate / 2);
  const start = performance.now();
  const sent = Array(STREAMS).fill(0);
  await during(seconds, STREAMS, async (stream) => {
    const plannedMs = start + (sent[stream] + stream / STREAMS) * everyMs;
    sent[stream] += 1;
    await sleep(plannedMs - performance.now());
    const batch = batchOf(sensors, stream, size);
    const chosen = firing.of(batch);
    for (const sensor of chosen) receiver.expect(sensor, plannedMs);
    await connections[stream].send(head, bodyOf(batch, chosen, currentDate()));
    return size;
  });
  await untilEvaluated(pool);
  const { times, missing } = await receiver.takeTimes(DELIVERED_WITHIN_MS);
  for (const connection of connections) connection.close();
  const what = `batches of ${size} at half of that rate: point → delivery`;
  rows.addTimes(what, times);
  rows.add(`${what}, not within ${DELIVERED_WITHIN_MS / 1000} s`, 'firings', missing);
}

async function measureBareSingle(rows, { barePort, seconds }) {
  const connections = openConnections(barePort, SINGLE_CONNECTIONS);
  const head = headOf('/');
  const { rate } = await during(seconds, SINGLE_CONNECTIONS, async (stream) => {
    await connections[stream].send(head, singleOf());
    return 1;
  });
  for (const connection of connections) connection.close();
  rows.add(LIMITS.single, 'requests/s', rate);
}

/** The headers of a device with a new key. */
async function keyHeaders(client, sensors = []) {
  return { Authorization: `Bearer ${await createUploadKey(client, sensors)}` };
}

/** Each sensor has a connection, and sends these headers. */
async function measureSingle(rows, { port, pool, seconds, costs }, sensors, kind, headers, against = LIMITS.single) {
  const end = await costs.start();
  const { sum, elapsedMs } = await sendSingles({ port, seconds }, sensors, (index) => headers[index]);
  const drainedMs = await untilEvaluated(pool);
  const used = await end();
  const what = `single points, ${kind}`;
  rows.add(`${what}, evaluated`, 'points/s', (sum * 1000) / (elapsedMs + drainedMs), against);
  addCosts(rows, what, used, sum);
}

function addCosts(rows, what, { cpu, statements, commands, residentMb }, points) {
  const all = Object.values(cpu).reduce((a, b) => a + b, 0);
  rows.add(`${what}: CPU of all servers`, 'ms/1,000', (all * 1e6) / points);
  for (const [process, used] of Object.entries(cpu)) {
    rows.add(`${what}: CPU of ${process}`, 'ms/1,000', (used * 1e6) / points);
    rows.add(`${what}: memory of ${process}`, 'MB', residentMb[process]);
  }
  rows.add(`${what}: statements`, 'per 1,000', (statements * 1000) / points);
  rows.add(`${what}: Redis commands`, 'per 1,000', (commands * 1000) / points);
}
