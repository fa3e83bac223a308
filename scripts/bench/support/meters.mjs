// The sensors of a gateway, the batches that it sends, and the receiver of what fires.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, create } from './client.mjs';
import { inParallel } from './figures.mjs';
import { headOf, openConnections } from './lean-client.mjs';

/** Connections of the gateway. */
export const STREAMS = 2;
/** One point of so many fires. */
const FIRES_ONE_OF = 1_000;
/** The limit of a minute, and the time until the points before are evaluated. */
const FIRES_AGAIN_MS = 70_000;

/** Number of batches so far, by stream and size. */
const counts = new Map();
/** The sensors of one batch: each stream has a part of the sensors, and goes through it batch by batch. */
export function batchOf(sensors, stream, size) {
  const part = sensors.length / STREAMS;
  const count = counts.get(`${stream} ${size}`) ?? 0;
  counts.set(`${stream} ${size}`, count + 1);
  const start = stream * part + ((count * size) % part);
  return sensors.slice(start, start + size);
}

/** Chooses the sensors of a batch that fire, round-robin, and none within its minute: on a fast machine fewer fire. */
export class FiringSensors {
  #due = 0;
  static #at = 0; // continues from one measurement to the next
  static #firedMs = new Map();

  of(batch) {
    const chosen = new Set();
    for (this.#due += batch.length / FIRES_ONE_OF; this.#due >= 1; this.#due -= 1) {
      FiringSensors.#at = (FiringSensors.#at + 997) % batch.length;
      const sensor = batch[FiringSensors.#at];
      if (performance.now() - (FiringSensors.#firedMs.get(sensor) ?? Number.NEGATIVE_INFINITY) < FIRES_AGAIN_MS)
        continue;
      FiringSensors.#firedMs.set(sensor, performance.now());
      chosen.add(sensor);
    }
    return chosen;
  }
}

/** Sensors; with a destination each has the same trigger, whose firings go there. */
export async function makeSensors(client, count, destination) {
  const sensors = await inParallel(Array.from({ length: count }), 8, () => create(client, 'sensor', { name: 'meter' }));
  if (!destination) return sensors;
  const trigger = await create(client, 'trigger', { name: 'too warm', expression: 'sensor_data_value > 30' });
  const notification = await create(client, 'notification', { type: 'url', destination });
  await inParallel(sensors, 8, (sensor) => connect(client, sensor, trigger, notification));
  return sensors;
}

/** A receiver of webhooks that counts them, and can time those of expected sensors. */
export async function startReceiver() {
  const sentAt = new Map();
  const times = [];
  let received = 0;
  let arrival;
  const server = createServer(async (request, response) => {
    const arrivedAt = performance.now();
    received += 1;
    arrival?.();
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    response.end();
    if (sentAt.size === 0) return;
    const sensor = new URLSearchParams(Buffer.concat(chunks).toString('utf8')).get('sensor_id');
    if (sentAt.has(sensor)) times.push(arrivedAt - sentAt.get(sensor));
    sentAt.delete(sensor);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    count: () => received,
    /** Calls this at each delivery from now on. */
    onArrival: (listener) => {
      arrival = listener;
    },
    /** Call it for each point that fires, with the time at which it should be sent, by `performance.now()`. */
    expect: (sensor, plannedMs) => sentAt.set(sensor, plannedMs),
    /** The times since `plannedMs` of all that arrive within `limitMs`, in ms, and how many do not; ends the timing. */
    takeTimes: async (limitMs) => {
      const end = performance.now() + limitMs;
      while (sentAt.size > 0 && performance.now() < end) await sleep(10);
      const missing = sentAt.size;
      sentAt.clear();
      return { times: times.splice(0), missing };
    },
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

let lastMs = Date.now() - 3_600_000;

/** Unused dates, so that each point is a row of its own and newer than the one before it. */
export function nextMs() {
  lastMs += 1;
  return lastMs;
}

let currentMs = 0;

/** The same close to now, as devices send it: for at most a thousand a second. Older dates cost a look at MySQL. */
export function currentDate() {
  currentMs = Math.max(currentMs + 1, Date.now());
  return currentMs / 1000;
}

/** Runs `streams` loops of `work` for some seconds: the sum of their results, per second and in all. */
export async function during(seconds, streams, work) {
  const start = performance.now();
  const sums = await Promise.all(
    Array.from({ length: streams }, async (_, stream) => {
      let sum = 0;
      while (performance.now() - start < seconds * 1000) sum += await work(stream);
      return sum;
    }),
  );
  const sum = sums.reduce((a, b) => a + b, 0);
  const elapsedMs = performance.now() - start;
  return { sum, elapsedMs, rate: (sum * 1000) / elapsedMs };
}

/** How long it took until nothing waited any more. */
export async function untilEvaluated(pool) {
  const start = performance.now();
  for (;;) {
    const [[row]] = await pool.query('SELECT EXISTS (SELECT 1 FROM inbox_batches) AS isWaiting');
    if (Number(row.isWaiting) === 0) return performance.now() - start;
    if (performance.now() - start > 120_000) throw new Error('points wait for two minutes and are not evaluated');
    await sleep(10);
  }
}

/** An upload of one point for each sensor of a batch; those that fire get a value that does. */
export function bodyOf(batch, firing, date) {
  const points = batch.map(
    (sensor) => `{"sensor_id":"${sensor}","data":[{"value":${firing.has(sensor) ? '31.5' : '21.5'},"date":${date}}]}`,
  );
  return `{"sensors":[${points.join()}]}`;
}

/** Sends batches as gateways do; the sum of their points, and how long it took. */
export async function sendBatches({ port, seconds, client }, sensors, size) {
  const head = headOf('/sensors/data', { 'X-SESSION_ID': client.session });
  const connections = openConnections(port, STREAMS);
  const firing = new FiringSensors();
  const sent = await during(seconds, STREAMS, async (stream) => {
    const batch = batchOf(sensors, stream, size);
    await connections[stream].send(head, bodyOf(batch, firing.of(batch), currentDate()));
    return size;
  });
  for (const connection of connections) connection.close();
  return sent;
}

/** Sends single points, each sensor over a connection of its own with headers of its own; how many, and how long it took. */
export async function sendSingles({ port, seconds }, sensors, headersOf) {
  const connections = openConnections(port, sensors.length);
  const heads = sensors.map((sensor, index) => headOf(`/sensors/${sensor}/data`, headersOf(index)));
  const sent = await during(seconds, sensors.length, async (stream) => {
    await connections[stream].send(heads[stream], singleOf());
    return 1;
  });
  for (const connection of connections) connection.close();
  return sent;
}

/** An upload of one point. */
export function singleOf() {
  return `{"data":[{"value":"21.5","date":${Date.now() / 1000}}]}`;
}
