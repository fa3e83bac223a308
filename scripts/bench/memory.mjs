// Memory of all processes during minutes of full load: what gateways send, without a pause.
import { setTimeout as sleep } from 'node:timers/promises';
import { registered } from './support/client.mjs';
import { at, Rows } from './support/figures.mjs';
import { headOf, openConnections } from './support/lean-client.mjs';
import {
  batchOf,
  bodyOf,
  currentDate,
  during,
  FiringSensors,
  makeSensors,
  STREAMS,
  startReceiver,
  untilEvaluated,
} from './support/meters.mjs';

export const name = 'memory';
export const order = 9;
export const isLong = true;
export const options = { minutes: 10 };

const BATCH = 1_000;
const STEP_S = 10;
/** Rows of the inbox; a batch makes one for each partition. */
const MOST_WAITING = 200;
const STEPS_PER_MINUTE = 60 / STEP_S;

export async function run({ port, pool, sensors: count, sizes: { minutes }, costs, log }) {
  const rows = new Rows();
  const client = await registered(port);
  const receiver = await startReceiver();
  const watched = await makeSensors(client, count, receiver.url);
  const head = headOf('/sensors/data', { 'X-SESSION_ID': client.session });
  const connections = openConnections(port, STREAMS);
  const firing = new FiringSensors();
  const peaks = [];
  const steps = Math.max(2, Math.round(minutes * STEPS_PER_MINUTE));
  for (let step = 0; step < steps; step += 1) {
    const peak = costs.watchPeak();
    const { rate } = await during(STEP_S, STREAMS, async (stream) => {
      const batch = batchOf(watched, stream, BATCH);
      await connections[stream].send(head, bodyOf(batch, firing.of(batch), currentDate()));
      await untilFewWait(pool);
      return BATCH;
    });
    peaks.push(peak.end());
    rows.add('points stored', 'points/s', rate);
    if (step % STEPS_PER_MINUTE === 0)
      log(`  ${step / STEPS_PER_MINUTE} of ${minutes} minutes: ${describe(peaks.at(-1))}`);
  }
  rows.add('still to evaluate at the end', 'ms', await untilEvaluated(pool));
  const tenth = Math.max(1, Math.round(steps / 10));
  for (const process of Object.keys(peaks[0])) {
    const of = (some) =>
      at(
        some.map((peak) => peak[process]),
        0.5,
      );
    const [second, last] = [peaks.slice(tenth, 2 * tenth), peaks.slice(-tenth)];
    for (const peak of peaks) rows.add(`${process}: most in ${STEP_S} s`, 'MB', peak[process]);
    rows.add(`${process}: growth from the second tenth to the last`, 'MB', of(last) - of(second));
  }
  for (const connection of connections) connection.close();
  await Promise.all([client.close(), receiver.close()]);
  return rows.list();
}

/** As fast as points are evaluated: nothing is to pile up. */
async function untilFewWait(pool) {
  for (;;) {
    const [[row]] = await pool.query('SELECT COUNT(*) AS waiting FROM inbox_batches');
    if (Number(row.waiting) <= MOST_WAITING) return;
    await sleep(20);
  }
}

function describe(peak) {
  return Object.entries(peak)
    .map(([process, mb]) => `${process} ${Math.round(mb)} MB`)
    .join(', ');
}
