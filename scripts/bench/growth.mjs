// What gateways send, interleaved: to a platform with nearly empty tables and to another one with very many points and sensors.
import { create, registered } from './support/client.mjs';
import { Rows } from './support/figures.mjs';
import { connectAll, fillPoints, fillSensors } from './support/fill.mjs';
import { makeSensors, sendBatches, sendSingles, startReceiver, untilEvaluated } from './support/meters.mjs';

export const name = 'growth';
export const order = 8;
export const isLong = true;
export const options = { points: 20_000_000, owned: 200_000, armed: 100_000 };

const SINGLE_CONNECTIONS = 64;
/** Number of measurements of each platform in a round. */
const MEASUREMENTS = 4;
const MINUTE_MS = 60_000;

export async function run({ startAnother, rounds, seconds, sensors: count, sizes, log, ...platform }) {
  const rows = new Rows();
  const receiver = await startReceiver();
  const another = await startAnother();
  const prepared = { seconds: seconds / MEASUREMENTS, count, destination: receiver.url };
  const full = await prepare(platform, { ...prepared, tables: 'full tables' });
  const empty = await prepare(another, { ...prepared, tables: 'empty tables' });
  log(`  ${count} sensors with a trigger and a notification each, twice`);
  const first = await fill(full, sizes, log);
  // As many sensors of those that have many points.
  const some = Array.from({ length: count }, (_, index) => first + index * Math.floor(sizes.owned / count));
  for (let round = -1; round < rounds; round += 1) {
    log(`  round ${round + 1} of ${rounds}`);
    const kept = round < 0 ? new Rows() : rows; // the first round is a warm-up
    for (const size of [1_000, 250]) {
      await compare(kept, [empty, full], `batches of ${size}, evaluated`, (one) => sendBatches(one, one.watched, size));
    }
    await compare(kept, [empty, full], 'single points, evaluated', sendWatched);
    await compare(kept, [full], 'batches of 1000 for sensors with many points', (one) => sendBatches(one, some, 1_000));
  }
  await Promise.all([full.client.close(), empty.client.close(), another.leave(), receiver.close()]);
  return rows.list();
}

/** A platform with a user, and their sensors that have a trigger and a notification each. */
async function prepare(platform, { seconds, count, destination, tables }) {
  const client = await registered(platform.port);
  return { ...platform, seconds, tables, client, watched: await makeSensors(client, count, destination) };
}

/** Sensors of the same user with points, and an inactivity trigger on some of them; returns the first one's id. */
async function fill({ pool, client }, { points, owned, armed }, log) {
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
  return first;
}

function sendWatched(one) {
  const session = { 'X-SESSION_ID': one.client.session };
  return sendSingles(one, one.watched.slice(0, SINGLE_CONNECTIONS), () => session);
}

/** The rate at which each platform evaluates, relative to the first. Measurements are interleaved, because the speed of the machine varies. */
async function compare(rows, platforms, what, send) {
  const measured = new Map(platforms.map((one) => [one, { sum: 0, ms: 0, cpu: 0, mysql: 0 }]));
  for (let index = 0; index < MEASUREMENTS; index += 1) {
    for (const one of index % 2 === 0 ? platforms : platforms.toReversed()) {
      const all = measured.get(one);
      const end = await one.costs.start();
      const { sum, elapsedMs } = await send(one);
      all.ms += elapsedMs + (await untilEvaluated(one.pool));
      const { cpu } = await end();
      all.cpu += Object.values(cpu).reduce((a, b) => a + b, 0);
      all.mysql += cpu.MySQL;
      all.sum += sum;
    }
  }
  for (const [one, { sum, ms, cpu, mysql }] of measured) {
    const against = one === platforms[0] ? undefined : `${what}: ${platforms[0].tables}`;
    rows.add(`${what}: ${one.tables}`, 'points/s', (sum * 1000) / ms, against);
    rows.add(`CPU of all servers, ${what}: ${one.tables}`, 'ms/1,000', (cpu * 1e6) / sum);
    rows.add(`CPU of MySQL, ${what}: ${one.tables}`, 'ms/1,000', (mysql * 1e6) / sum);
  }
}
