// The sensors of a gateway, the batches that it sends, and the receiver of what fires.
import { createServer } from 'node:http';
import { create } from './client.mjs';
import { inParallel } from './figures.mjs';

/** Connections of the gateway. */
export const STREAMS = 2;
/** One point of so many fires. */
const FIRES_ONE_OF = 1_000;

/** The sensors of one batch: each stream has a part of the sensors, and goes through it batch by batch. */
const turns = new Map();
export function batchOf(sensors, stream, size) {
  const part = sensors.length / STREAMS;
  const turn = turns.get(`${stream} ${size}`) ?? 0;
  turns.set(`${stream} ${size}`, turn + 1);
  const start = stream * part + ((turn * size) % part);
  return sensors.slice(start, start + size);
}

/** Chooses the sensors of a batch that fire, each in its turn, so that hardly any is to fire again within its minute. */
export class FiringSensors {
  #due = 0;
  static #at = 0; // goes on from one measurement to the next

  of(batch) {
    const chosen = new Set();
    for (this.#due += batch.length / FIRES_ONE_OF; this.#due >= 1; this.#due -= 1) {
      FiringSensors.#at = (FiringSensors.#at + 997) % batch.length;
      chosen.add(batch[FiringSensors.#at]);
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
  await inParallel(sensors, 8, async (sensor) => {
    await client.post(`/sensors/${sensor}/triggers`, { trigger: { id: trigger } });
    await client.post(`/sensors/${sensor}/triggers/${trigger}/notifications`, { notification: { id: notification } });
  });
  return sensors;
}

/** A receiver of webhooks that counts them, and can time those of expected sensors. */
export async function startReceiver() {
  const sentAt = new Map();
  const times = [];
  let received = 0;
  const server = createServer(async (request, response) => {
    const arrivedAt = performance.now();
    received += 1;
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
    /** A point of this sensor is sent now, and may fire. */
    expect: (sensor) => sentAt.set(sensor, performance.now()),
    /** The times since `expect` of all that have arrived, in ms; ends the timing. */
    takeTimes: () => {
      sentAt.clear();
      return times.splice(0);
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
