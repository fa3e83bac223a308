// Sensors at one point a second whose trigger reads a window of an hour, next to as many whose trigger reads the value only.
import { setTimeout as sleep } from 'node:timers/promises';
import { create, registered } from './support/client.mjs';
import { Rows } from './support/figures.mjs';
import { connectAll, fillPoints, fillSensors } from './support/fill.mjs';
import { headOf, openConnections } from './support/lean-client.mjs';
import { bodyOf, untilEvaluated } from './support/meters.mjs';

export const name = 'windows';
export const order = 9;
export const isLong = true;
export const options = { 'sensors-with-windows': 2_000, 'window-points': 3_600 };

const POINTS_PER_REQUEST = 1_000;
const PLAIN = 'one point a second, trigger on the value';
const WINDOW = 'one point a second, trigger on the average of an hour';

export async function run({ port, pool, rounds, seconds, sizes, costs, log }) {
  const { 'sensors-with-windows': count, 'window-points': each } = sizes;
  const rows = new Rows();
  const client = await registered(port);
  const groups = [
    { what: PLAIN, expression: 'sensor_data_value > 1000' },
    { what: WINDOW, expression: `avg_over_time(sensor_data_value, ${each}) > 1000`, against: PLAIN },
  ];
  for (const group of groups) {
    const trigger = await create(client, 'trigger', { name: group.what, expression: group.expression });
    const first = await fillSensors(pool, client.userId, count);
    await connectAll(pool, { first, count, trigger });
    await fillPoints(pool, { first, sensors: count, each, everyMs: 1_000, untilMs: Date.now() });
    group.sensors = Array.from({ length: count }, (_, index) => String(first + index));
    log(`  ${count} sensors with ${each} points each`);
  }
  for (let round = -1; round < rounds; round += 1) {
    const kept = round < 0 ? new Rows() : rows; // the first round fills the caches
    log(`  round ${round + 1} of ${rounds}`);
    for (const group of groups) await measure(kept, { port, pool, client, seconds, costs }, group);
  }
  await client.close();
  return rows.list();
}

async function measure(rows, { port, pool, client, seconds, costs }, { what, sensors, against }) {
  const head = headOf('/sensors/data', { 'X-SESSION_ID': client.session });
  const [connection] = openConnections(port, 1);
  const end = await costs.start();
  const start = performance.now();
  for (let second = 0; second < seconds; second += 1) {
    await sleep(start + second * 1_000 - performance.now());
    for (let from = 0; from < sensors.length; from += POINTS_PER_REQUEST) {
      const batch = sensors.slice(from, from + POINTS_PER_REQUEST);
      await connection.send(head, bodyOf(batch, new Set(), Date.now() / 1000));
    }
  }
  const drainedMs = await untilEvaluated(pool);
  const { cpu, statements, residentMb } = await end();
  connection.close();
  const points = sensors.length * seconds;
  const all = Object.values(cpu).reduce((a, b) => a + b, 0);
  rows.add(
    `${what}: CPU of all servers`,
    'ms/1,000',
    (all * 1e6) / points,
    against && `${against}: CPU of all servers`,
  );
  for (const [process, used] of Object.entries(cpu))
    rows.add(`${what}: CPU of ${process}`, 'ms/1,000', (used * 1e6) / points);
  rows.add(`${what}: statements`, 'per 1,000', (statements * 1000) / points);
  rows.add(`${what}: still to evaluate at the end`, 'ms', drainedMs);
  rows.add(`${what}: memory of worker`, 'MB', residentMb.worker);
}
