// Very many sensors of one user cross their limit at once, and a neighbour's sensors fire as always.
import { setTimeout as sleep } from 'node:timers/promises';
import { create, registered } from './support/client.mjs';
import { Rows } from './support/figures.mjs';
import { connectAll, fillSensors } from './support/fill.mjs';
import { headOf, openConnections } from './support/lean-client.mjs';
import { bodyOf, currentDate, makeSensors, startReceiver } from './support/meters.mjs';

export const name = 'storm';
export const order = 6;
export const isLong = true;
export const options = { crossing: 10_000 };

/** How long the last deliveries of the neighbour may take. */
const NEIGHBOUR_WAITS_MS = 30_000;
const BATCH = 1_000;
/** The neighbour's firings. */
const EVERY_MS = 100;
/** A sensor fires once a minute, so each of the neighbour's firings has one of its own. */
const CALM_FIRINGS = 50;
const MOST_STORM_FIRINGS = 600;
const WITHIN_MS = 300_000;

export async function run({ port, pool, rounds, sizes: { crossing }, costs, log }) {
  const rows = new Rows();
  const [client, neighbour] = [await registered(port), await registered(port)];
  const [receiver, quiet] = [await startReceiver(), await startReceiver()];
  const trigger = await create(client, 'trigger', { name: 'too warm', expression: 'sensor_data_value > 30' });
  const notification = await create(client, 'notification', { type: 'url', destination: receiver.url });
  for (let round = 0; round < rounds; round += 1) {
    const first = await fillSensors(pool, client.userId, crossing);
    await connectAll(pool, { first, count: crossing, trigger, notification });
    const own = await makeSensors(neighbour, CALM_FIRINGS + MOST_STORM_FIRINGS, quiet.url);
    log(`  round ${round + 1} of ${rounds}: ${crossing} sensors, and ${own.length} of the neighbour`);
    const fire = startNeighbour(port, neighbour, quiet);
    await fire(own.splice(0, CALM_FIRINGS), () => false);
    await addNeighbour(rows, 'before', quiet);
    const beganMs = Date.now();
    const peak = costs.watchPeak();
    const end = await costs.start();
    const storm = startStorm({ port, client, receiver, first, crossing });
    let isOver = false;
    const over = storm.finally(() => {
      isOver = true;
    });
    await fire(own, () => isOver);
    const { storedMs, deliveredMs } = await over;
    addCosts(rows, await end(), crossing);
    await addNeighbour(rows, 'during', quiet);
    await addStages(rows, pool, neighbour.userId, beganMs);
    rows.add(`${crossing} cross: until all are stored`, 'ms', storedMs);
    rows.add(`${crossing} cross: until the last delivery`, 'ms', deliveredMs);
    rows.add(`${crossing} cross: deliveries`, 'per s', (crossing * 1000) / deliveredMs);
    for (const [process, mb] of Object.entries(peak.end()))
      rows.add(`${crossing} cross: peak memory of ${process}`, 'MB', mb);
    log(`  the last delivery after ${Math.round(deliveredMs)} ms`);
  }
  await Promise.all([client.close(), neighbour.close(), receiver.close(), quiet.close()]);
  return rows.list();
}

/** Where the neighbour's points have waited. */
async function addStages(rows, pool, ownerId, fromMs) {
  const stages = ['received_ms', 'stored_ms', 'evaluated_ms', 'sent_ms', 'answered_ms'];
  const [deliveries] = await pool.query(
    `SELECT ${stages} FROM deliveries WHERE owner_id = ? AND received_ms >= ? AND answered_ms IS NOT NULL`,
    [ownerId, fromMs],
  );
  for (const [index, stage] of stages.slice(1).entries()) {
    const before = stages[index];
    const what = `${before.replace('_ms', '')} → ${stage.replace('_ms', '')}`;
    rows.addTimes(
      `neighbour during the storm: ${what}`,
      deliveries.map((row) => Number(row[stage]) - Number(row[before])),
    );
  }
}

/** Of everything: from the upload to the delivery. */
function addCosts(rows, { cpu, statements, commands }, crossing) {
  for (const [process, used] of Object.entries(cpu)) {
    rows.add(`a delivery in the storm: CPU of ${process}`, 'ms', (used * 1000) / crossing);
  }
  rows.add('a delivery in the storm: statements', 'each', statements / crossing);
  rows.add('a delivery in the storm: Redis commands', 'each', commands / crossing);
}

async function startStorm({ port, client, receiver, first, crossing }) {
  const head = headOf('/sensors/data', { 'X-SESSION_ID': client.session });
  const connections = openConnections(port, 2);
  const ids = Array.from({ length: crossing }, (_, index) => first + index);
  const batches = Array.from({ length: Math.ceil(crossing / BATCH) }, (_, index) =>
    ids.slice(index * BATCH, (index + 1) * BATCH),
  );
  const before = receiver.count();
  const start = performance.now();
  await Promise.all(
    connections.map(async (connection) => {
      for (let batch = batches.shift(); batch; batch = batches.shift()) {
        await connection.send(head, bodyOf(batch, new Set(batch), currentDate()));
      }
    }),
  );
  const storedMs = performance.now() - start;
  while (receiver.count() - before < crossing) {
    if (performance.now() - start > WITHIN_MS)
      throw new Error(`only ${receiver.count() - before} deliveries have come`);
    await sleep(20);
  }
  for (const connection of connections) connection.close();
  return { storedMs, deliveredMs: performance.now() - start };
}

async function addNeighbour(rows, when, receiver) {
  const what = `neighbour ${when} the storm: point → delivery`;
  const { times, missing } = await receiver.takeTimes(NEIGHBOUR_WAITS_MS);
  rows.addTimes(what, times);
  rows.add(`${what}, missing`, 'firings', missing);
}

/** Returns a function that lets sensors fire, evenly spread, until it is over, and waits for the deliveries. */
function startNeighbour(port, client, receiver) {
  return async (sensors, isOver) => {
    const [connection] = openConnections(port, 1);
    const start = performance.now();
    let sent = 0;
    const before = receiver.count();
    for (const sensor of sensors) {
      if (isOver()) break;
      const plannedMs = start + sent * EVERY_MS;
      await sleep(plannedMs - performance.now());
      receiver.expect(sensor, plannedMs);
      const head = headOf(`/sensors/${sensor}/data`, { 'X-SESSION_ID': client.session });
      await connection.send(head, `{"data":[{"value":"31.5","date":${currentDate()}}]}`);
      sent += 1;
    }
    const end = performance.now();
    while (receiver.count() - before < sent && performance.now() - end < NEIGHBOUR_WAITS_MS) await sleep(20);
    connection.close();
  };
}
