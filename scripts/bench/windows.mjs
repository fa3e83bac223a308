// Sensors at one point a second whose trigger reads a window of an hour, next to as many whose trigger reads the value only.
import { create, registered } from './support/client.mjs';
import { connectAll, fillPoints, fillSensors } from './support/fill.mjs';
import { measureRounds } from './support/steady.mjs';

export const name = 'windows';
export const order = 9;
export const isLong = true;
export const options = { 'sensors-with-windows': 2_000, 'window-points': 3_600 };

const PLAIN = 'one point a second, trigger on the value';
const WINDOW = 'one point a second, trigger on the average of an hour';

export async function run({ port, pool, rounds, seconds, sizes, costs, log }) {
  const { 'sensors-with-windows': count, 'window-points': each } = sizes;
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
  const rows = await measureRounds({ port, pool, client, seconds, costs, rounds, log }, groups);
  await client.close();
  return rows.list();
}
