// Very many sensors wait for the clock: what that costs while nothing is due, and how late they fire when many are due, by an
// inactivity or by a hold.
import { setTimeout as sleep } from 'node:timers/promises';
import { create, registered } from './support/client.mjs';
import { Rows } from './support/figures.mjs';
import { connectAll, fillSensors } from './support/fill.mjs';
import { startReceiver } from './support/meters.mjs';

export const name = 'due';
export const order = 5;
export const isLong = true;
export const options = { armed: 100_000, due: 1_000 };

const INACTIVITY_S = 86_400;
const HOLD_S = 3_600;
/** What makes sensor triggers due at a time, and the values of the statement's parameters. */
const KINDS = {
  inactivity: {
    changes: 'inactive_since_ms = ?, due_at_ms = ?',
    values: (dueMs) => [dueMs - INACTIVITY_S * 1000, dueMs],
  },
  hold: {
    changes: "last_data_value = '31', last_date_ms = ?, pending_since_ms = ?, condition_due_ms = ?",
    values: (dueMs) => [dueMs - HOLD_S * 1000, dueMs - HOLD_S * 1000, dueMs],
  },
};
/** Until a process that has become idle has been looked through for garbage, once. */
const SETTLE_MS = 20_000;
const IDLE_MS = 30_000;
/** From the statement that makes them due to the moment when they are. */
const AHEAD_MS = 3_000;
const WITHIN_MS = 60_000;

export async function run({ port, pool, rounds, sizes: { armed, due }, costs, log }) {
  const rows = new Rows();
  const client = await registered(port);
  const receiver = await startReceiver();
  await measureIdle(rows, costs, 'nothing armed');
  const trigger = await create(client, 'trigger', {
    name: 'waiting',
    expression: 'sensor_data_value > 30',
    hold: HOLD_S,
    inactivity: INACTIVITY_S,
  });
  const notification = await create(client, 'notification', { type: 'url', destination: receiver.url });
  const first = await fillSensors(pool, client.userId, armed);
  await connectAll(pool, { first, count: armed, trigger, notification, inactivity: INACTIVITY_S, sinceMs: Date.now() });
  log(`  ${armed} sensors armed`);
  for (let round = 0; round < rounds; round += 1) {
    log(`  round ${round + 1} of ${rounds}: nothing is due`);
    await measureIdle(rows, costs, `${armed} armed`);
    const step = Math.max(1, Math.floor(armed / due));
    for (const [index, kind] of Object.keys(KINDS).entries()) {
      log(`  round ${round + 1} of ${rounds}: ${due} are due at once by ${kind}`);
      // Others each time: no worker has cached them.
      const rest = (2 * round + index) % step;
      const chosen = `sensor_id >= ${first} AND (sensor_id - ${first}) % ${step} = ${rest}`;
      await measureDue(rows, { pool, receiver, count: due, kind }, chosen);
    }
  }
  await Promise.all([client.close(), receiver.close()]);
  return rows.list();
}

/** The share of one core that each server takes. */
async function measureIdle(rows, costs, what) {
  await sleep(SETTLE_MS);
  const end = await costs.start();
  await sleep(IDLE_MS);
  const { cpu, statements, commands } = await end();
  const all = Object.values(cpu).reduce((a, b) => a + b, 0);
  const share = (seconds) => (seconds * 100_000) / IDLE_MS;
  rows.add(`idle, ${what}: all servers`, '% of a core', share(all));
  for (const [process, used] of Object.entries(cpu)) rows.add(`idle, ${what}: ${process}`, '% of a core', share(used));
  rows.add(`idle, ${what}: statements`, 'per s', (statements * 1000) / IDLE_MS);
  rows.add(`idle, ${what}: Redis commands`, 'per s', (commands * 1000) / IDLE_MS);
}

async function measureDue(rows, { pool, receiver, count, kind }, chosen) {
  const dueMs = Date.now() + AHEAD_MS;
  const [{ affectedRows }] = await pool.query(
    `UPDATE sensor_triggers SET ${KINDS[kind].changes}, last_triggered_ms = 0 WHERE ${chosen} LIMIT ?`,
    [...KINDS[kind].values(dueMs), count],
  );
  const before = receiver.count();
  const arrivedMs = [];
  receiver.onArrival(() => arrivedMs.push(Date.now() - dueMs));
  while (receiver.count() - before < affectedRows) {
    if (Date.now() > dueMs + WITHIN_MS) throw new Error(`${receiver.count() - before} of ${affectedRows} have fired`);
    await sleep(50);
  }
  receiver.onArrival(undefined);
  const [firings] = await pool.query('SELECT fired_ms AS firedMs FROM firings WHERE fired_ms >= ?', [dueMs - AHEAD_MS]);
  const late = firings.map(({ firedMs }) => Number(firedMs) - dueMs);
  const what = `${affectedRows} due at once by ${kind}`;
  rows.addTimes(`${what}: due → fired`, late);
  rows.addTimes(`${what}: due → delivered`, arrivedMs);
  rows.add(`${what}: the earliest firing`, 'ms', Math.min(...late));
  rows.add(`${what}: the last firing`, 'ms', Math.max(...late));
  rows.add(`${what}: the last delivery`, 'ms', Math.max(...arrivedMs));
}
