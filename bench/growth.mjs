// What gateways send, first into nearly empty tables and then into the same tables with very many points and sensors.
import { create, registered } from './support/client.mjs';
import { Rows } from './support/figures.mjs';
import { connectAll, fillPoints, fillSensors } from './support/fill.mjs';
import { headOf, openConnections } from './support/lean-client.mjs';
import {
  batchOf,
  bodyOf,
  during,
  FiringSensors,
  makeSensors,
  nextMs,
  STREAMS,
  startReceiver,
  untilEvaluated,
} from './support/meters.mjs';

export const name = 'growth';
export const order = 8;
export const isLong = true;
export const options = { points: 20_000_000, owned: 200_000, armed: 100_000 };

const SINGLE_CONNECTIONS = 64;
const EMPTY = 'empty tables';
const MINUTE_MS = 60_000;

export async function run({ port, pool, rounds, seconds, sensors: count, sizes, log }) {
  const { points, owned, armed } = sizes;
  const rows = new Rows();
  const client = await registered(port);
  const receiver = await startReceiver();
  const watched = await makeSensors(client, count, receiver.url);
  const bench = { port, pool, seconds, client };
  log(`  ${count} sensors with a trigger and a notification each`);
  await measure(new Rows(), bench, watched, EMPTY); // warm-up
  for (let round = 0; round < rounds; round += 1) await measure(rows, bench, watched, EMPTY);

  log(`  filling in ${owned} sensors, of which ${armed} armed, and ${points} points`);
  const first = await fillSensors(pool, client.userId, owned);
  const trigger = await create(client, 'trigger', { name: 'silent', inactivity: 86_400 });
  await connectAll(pool, { first, count: Math.min(armed, owned), trigger, inactivity: 86_400, sinceMs: Date.now() });
  const each = Math.max(1, Math.round(points / owned));
  const untilMs = Date.now() - MINUTE_MS;
  let reported = 0;
  await fillPoints(pool, { first, sensors: owned, each, everyMs: MINUTE_MS, untilMs }, (filled) => {
    if (filled - reported < points / 10) return;
    reported = filled;
    log(`  ${filled} points`);
  });
  const filled = `${points} points, ${owned} sensors, ${armed} armed`;
  // The same sensors as before, and as many of those that have many points.
  const some = Array.from({ length: count }, (_, index) => first + index * Math.floor(owned / count));
  for (let round = -1; round < rounds; round += 1) {
    log(`  round ${round + 1} of ${rounds} with full tables`);
    await measure(round < 0 ? new Rows() : rows, bench, watched, filled, EMPTY);
    await measureStored(round < 0 ? new Rows() : rows, bench, some, filled);
  }
  await Promise.all([client.close(), receiver.close()]);
  return rows.list();
}

async function measure(rows, bench, sensors, tables, against) {
  for (const size of [1_000, 250]) {
    const what = `batches of ${size}, evaluated`;
    rows.add(`${what}: ${tables}`, 'points/s', await batchRate(bench, sensors, size), against && `${what}: ${against}`);
  }
  const what = 'single points, evaluated';
  const singles = sensors.slice(0, SINGLE_CONNECTIONS);
  rows.add(`${what}: ${tables}`, 'points/s', await singleRate(bench, singles), against && `${what}: ${against}`);
}

/** Into sensors that have many points already, behind these. */
async function measureStored(rows, bench, sensors, tables) {
  const rate = await batchRate(bench, sensors, 1_000);
  rows.add(`batches of 1000 for sensors with many points: ${tables}`, 'points/s', rate);
}

async function batchRate({ port, pool, seconds, client }, sensors, size) {
  const head = headOf('/sensors/data', { 'X-SESSION_ID': client.session });
  const connections = openConnections(port, STREAMS);
  const firing = new FiringSensors();
  const { sum, elapsedMs } = await during(seconds, STREAMS, async (stream) => {
    const batch = batchOf(sensors, stream, size);
    await connections[stream].send(head, bodyOf(batch, firing.of(batch), nextMs() / 1000));
    return size;
  });
  const drainedMs = await untilEvaluated(pool);
  for (const connection of connections) connection.close();
  return (sum * 1000) / (elapsedMs + drainedMs);
}

async function singleRate({ port, pool, seconds, client }, sensors) {
  const connections = openConnections(port, sensors.length);
  const heads = sensors.map((sensor) => headOf(`/sensors/${sensor}/data`, { 'X-SESSION_ID': client.session }));
  const { sum, elapsedMs } = await during(seconds, sensors.length, async (stream) => {
    await connections[stream].send(heads[stream], `{"data":[{"value":"21.5","date":${nextMs() / 1000}}]}`);
    return 1;
  });
  const drainedMs = await untilEvaluated(pool);
  for (const connection of connections) connection.close();
  return (sum * 1000) / (elapsedMs + drainedMs);
}
