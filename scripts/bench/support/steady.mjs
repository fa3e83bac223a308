// One point a second from each of many sensors: what it costs.
import { setTimeout as sleep } from 'node:timers/promises';
import { Rows } from './figures.mjs';
import { headOf, openConnections } from './lean-client.mjs';
import { bodyOf, untilEvaluated } from './meters.mjs';

const POINTS_PER_REQUEST = 1_000;

/** Measures the groups in rounds. `untilDoneOf` returns what a group waits for in addition. */
export async function measureRounds({ rounds, log, ...context }, groups, untilDoneOf = () => undefined) {
  const rows = new Rows();
  for (let round = -1; round < rounds; round += 1) {
    const kept = round < 0 ? new Rows() : rows; // the first round fills the caches
    log(`  round ${round + 1} of ${rounds}`);
    for (const group of groups) await measureSteady(kept, context, group, untilDoneOf(group));
  }
  return rows;
}

/** The cost of all points until nothing waits, and until `untilDone` resolves. */
async function measureSteady(rows, context, { what, sensors, against }, untilDone) {
  const { pool, seconds, costs } = context;
  const end = await costs.start();
  await sendEachSecond(context, sensors);
  const drainedMs = await untilEvaluated(pool);
  await untilDone?.();
  const { cpu, statements, residentMb } = await end();
  const points = sensors.length * seconds;
  const servers = { 'all servers': Object.values(cpu).reduce((a, b) => a + b, 0), ...cpu };
  for (const [server, used] of Object.entries(servers)) {
    const cost = `CPU of ${server}`;
    rows.add(`${what}: ${cost}`, 'ms/1,000', (used * 1e6) / points, against && `${against}: ${cost}`);
  }
  rows.add(`${what}: statements`, 'per 1,000', (statements * 1000) / points);
  rows.add(`${what}: still to evaluate at the end`, 'ms', drainedMs);
  rows.add(`${what}: memory of worker`, 'MB', residentMb.worker);
}

async function sendEachSecond({ port, client, seconds }, sensors) {
  const head = headOf('/sensors/data', { 'X-SESSION_ID': client.session });
  const [connection] = openConnections(port, 1);
  const start = performance.now();
  for (let second = 0; second < seconds; second += 1) {
    await sleep(start + second * 1_000 - performance.now());
    for (let from = 0; from < sensors.length; from += POINTS_PER_REQUEST) {
      const batch = sensors.slice(from, from + POINTS_PER_REQUEST);
      await connection.send(head, bodyOf(batch, new Set(), Date.now() / 1000));
    }
  }
  connection.close();
}
