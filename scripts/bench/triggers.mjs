// Very many triggers on each sensor: what one evaluation costs.
import { create, registered } from './support/client.mjs';
import { inParallel, Rows } from './support/figures.mjs';
import { headOf, openConnections } from './support/lean-client.mjs';
import { bodyOf, currentDate, during, makeSensors, untilEvaluated } from './support/meters.mjs';

export const name = 'triggers';
export const order = 7;
export const options = { triggers: 100, 'sensors-with-many': 100 };

export async function run({ port, pool, rounds, seconds, sizes, costs, log }) {
  const { triggers: each, 'sensors-with-many': count } = sizes;
  const rows = new Rows();
  const client = await registered(port);
  const sensors = await makeSensors(client, count);
  const triggers = await inParallel([...Array(each).keys()], 8, (index) =>
    create(client, 'trigger', { name: `limit ${index}`, expression: expressionOf(index) }),
  );
  const values = sensors.flatMap((sensor) => triggers.map((trigger) => [sensor, trigger, 0]));
  for (let start = 0; start < values.length; start += 1_000) {
    await pool.query('INSERT INTO sensor_triggers (sensor_id, trigger_id, created_ms) VALUES ?', [
      values.slice(start, start + 1_000),
    ]);
  }
  log(`  ${count} sensors with ${each} triggers each`);
  for (let round = -1; round < rounds; round += 1) {
    const kept = round < 0 ? new Rows() : rows;
    log(`  round ${round + 1} of ${rounds}`);
    await measure(kept, { port, pool, client, seconds, costs }, sensors, each);
  }
  await client.close();
  return rows.list();
}

/** None of them fires. */
function expressionOf(index) {
  return index % 2 === 0
    ? `sensor_data_value > ${100 + index}`
    : `sensor_data_value < -${index} and last_sensor_data_value > ${index}`;
}

async function measure(rows, { port, pool, client, seconds, costs }, sensors, each) {
  const head = headOf('/sensors/data', { 'X-SESSION_ID': client.session });
  const connections = openConnections(port, 1);
  const end = await costs.start();
  const peak = costs.watchPeak();
  const { sum, elapsedMs } = await during(seconds, 1, async (stream) => {
    await connections[stream].send(head, bodyOf(sensors, new Set(), currentDate()));
    return sensors.length;
  });
  const drainedMs = await untilEvaluated(pool);
  const { cpu } = await end();
  for (const connection of connections) connection.close();
  const evaluations = sum * each;
  const all = Object.values(cpu).reduce((a, b) => a + b, 0);
  rows.add('evaluations', 'per s', (evaluations * 1000) / (elapsedMs + drainedMs));
  rows.add('an evaluation: CPU of all servers', 'µs', (all * 1e6) / evaluations);
  for (const [process, used] of Object.entries(cpu))
    rows.add(`an evaluation: CPU of ${process}`, 'µs', (used * 1e6) / evaluations);
  for (const [process, mb] of Object.entries(peak.end())) rows.add(`peak memory of ${process}`, 'MB', mb);
}
