// Very many sensors are armed for inactivity: what that costs while nothing is due, and how late they fire when many are due.
import { setTimeout as sleep } from 'node:timers/promises';
import { create, registered } from './support/client.mjs';
import { Rows } from './support/figures.mjs';
import { connectAll, fillSensors } from './support/fill.mjs';
import { startReceiver } from './support/meters.mjs';

export const name = 'inactivity';
export const order = 5;
export const isLong = true;
export const options = { armed: 100_000, due: 1_000 };

const INACTIVITY_S = 86_400;
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
  const trigger = await create(client, 'trigger', { name: 'silent', inactivity: INACTIVITY_S });
  const notification = await create(client, 'notification', { type: 'url', destination: receiver.url });
  const first = await fillSensors(pool, client.userId, armed);
  await connectAll(pool, { first, count: armed, trigger, notification, inactivity: INACTIVITY_S, sinceMs: Date.now() });
  log(`  ${armed} sensors armed`);
  for (let round = 0; round < rounds; round += 1) {
    log(`  round ${round + 1} of ${rounds}: nothing is due`);
    await measureIdle(rows, costs, `${armed} armed`);
    log(`  round ${round + 1} of ${rounds}: ${due} are due at once`);
    const step = Math.max(1, Math.floor(armed / due));
    await measureDue(
      rows,
      { pool, receiver, count: due },
      `sensor_id >= ${first} AND (sensor_id - ${first}) % ${step} = ${round % step}`,
    );
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

async function measureDue(rows, { pool, receiver, count }, chosen) {
  const dueMs = Date.now() + AHEAD_MS;
  const [{ affectedRows }] = await pool.query(
    `UPDATE sensor_triggers SET inactive_since_ms = ?, due_at_ms = ?, last_triggered_ms = 0 WHERE ${chosen} LIMIT ?`,
    [dueMs - INACTIVITY_S * 1000, dueMs, count],
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
  rows.addTimes(`${affectedRows} due at once: due → fired`, late);
  rows.addTimes(`${affectedRows} due at once: due → delivered`, arrivedMs);
  rows.add(`${affectedRows} due at once: the earliest firing`, 'ms', Math.min(...late));
  rows.add(`${affectedRows} due at once: the last firing`, 'ms', Math.max(...late));
  rows.add(`${affectedRows} due at once: the last delivery`, 'ms', Math.max(...arrivedMs));
}
