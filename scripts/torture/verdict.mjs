// What happened beside what had to happen, counted from the rows, the receivers' notes and the log of incidents.
import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { FIRE_EVERY, SILENCE_SECONDS } from './load.mjs';

/** Promised without faults; after an incident a delay of RECOVERY_MS more. */
const LATE_MS = 2_000;
const RECOVERY_MS = 10_000;

/** Waits until no point, event or delivery waits any more, `limitMs` at most. */
export async function waitUntilQuiet(mysqlUrl, limitMs) {
  const until = Date.now() + limitMs;
  const database = await mysql.createConnection(mysqlUrl);
  try {
    for (;;) {
      const [[{ waiting }]] = await database.query(
        "SELECT (SELECT COUNT(*) FROM inbox) + (SELECT COUNT(*) FROM events) + (SELECT COUNT(*) FROM deliveries WHERE status = 'pending') AS waiting",
      );
      if (Number(waiting) === 0 || Date.now() > until) return;
      await sleep(500);
    }
  } finally {
    await database.end();
  }
}

/** Counts; every number in `faults` has to be 0. */
export async function judge({ mysqlUrl, load, received, incidents }) {
  const database = await mysql.createConnection({ uri: mysqlUrl, supportBigNumbers: true });
  const rows = async (sql, values) => (await database.query(sql, values))[0];
  try {
    const markers = await judgeMarkers(rows, load, received);
    const gaps = await judgeStorms(rows, load);
    const lateness = await judgeSilences(rows, load, incidents);
    const ids = new Map();
    for (const { id } of received) ids.set(id, (ids.get(id) ?? 0) + 1);
    const [{ failed, pending }] = await rows(
      "SELECT SUM(status = 'failed') AS failed, SUM(status = 'pending') AS pending FROM deliveries",
    );
    return {
      figures: {
        points: [...load.counters, ...load.storms, ...load.silents].reduce((sum, { sent }) => sum + sent, 0),
        firings: Number((await rows('SELECT COUNT(*) AS n FROM firings'))[0].n),
        deliveries: Number((await rows('SELECT COUNT(*) AS n FROM deliveries'))[0].n),
        'requests received': received.length,
        'requests repeated under the same id (allowed)': received.length - ids.size,
        'inactivity firings': lateness.all.length,
      },
      faults: {
        'points lost': await lostPoints(rows, load),
        'points not evaluated once and in order': await disorder(rows, load),
        'firings lost': markers.lost,
        'firings doubled': markers.doubled,
        'deliveries lost': markers.undelivered + Number(pending ?? 0) + Number(failed ?? 0),
        'deliveries doubled under another id': markers.doubledDeliveries,
        'firings within a minute of the one before': gaps,
        'inactivity too early': lateness.early,
        'inactivity too late': lateness.late,
      },
      lateness: lateness.all,
    };
  } finally {
    await database.end();
  }
}

async function lostPoints(rows, { counters, storms, silents }) {
  let lost = 0;
  for (const { id, sent, kind } of [...counters, ...storms, ...silents]) {
    const [{ n, highest }] = await rows(
      'SELECT COUNT(DISTINCT value) AS n, MAX(value + 0) AS highest FROM data_points WHERE sensor_id = ?',
      [id],
    );
    lost += kind === 'counter' ? Math.abs(sent - Number(n)) : Math.max(0, sent - Number(highest));
  }
  return lost;
}

async function disorder(rows, { counters, triggers }) {
  let wrong = 0;
  for (const { id, sent } of counters) {
    const [state] = await rows(
      'SELECT last_value AS last, times_triggered AS times, last_error AS error FROM sensor_triggers WHERE sensor_id = ? AND trigger_id = ?',
      [id, triggers.sentinel],
    );
    if (Number(state.last) !== sent || state.times > 0 || state.error !== null) wrong += 1;
  }
  return wrong;
}

async function judgeMarkers(rows, { counters, triggers }, received) {
  const result = { lost: 0, doubled: 0, undelivered: 0, doubledDeliveries: 0 };
  for (const { id, sent } of counters) {
    const firings = await rows('SELECT variables FROM firings WHERE sensor_id = ? AND trigger_id = ?', [
      id,
      triggers.marker,
    ]);
    const values = firings.map(({ variables }) => Number(JSON.parse(variables).sensor_data_value));
    result.doubled += values.length - new Set(values).size;
    for (let value = FIRE_EVERY; value <= sent; value += FIRE_EVERY) {
      if (!values.includes(value)) result.lost += 1;
      const arrived = new Set(
        received.filter(({ text }) => text?.startsWith(`${id} ${value} `)).map((request) => request.id),
      );
      if (arrived.size === 0) result.undelivered += 1;
      if (arrived.size > 1) result.doubledDeliveries += arrived.size - 1;
    }
  }
  return result;
}

async function judgeStorms(rows, { storms, triggers }) {
  let wrong = 0;
  for (const { id } of storms) {
    const firings = await rows(
      'SELECT fired_ms AS ms FROM firings WHERE sensor_id = ? AND trigger_id = ? ORDER BY id',
      [id, triggers.always],
    );
    if (firings.length === 0) wrong += 1;
    for (let index = 1; index < firings.length; index += 1) {
      if (firings[index].ms - firings[index - 1].ms < 60_000) wrong += 1;
    }
  }
  return wrong;
}

/** How late each inactivity fired, in ms after the instant at which it had to, outages added as they were recorded. */
async function judgeSilences(rows, { silents, triggers }, incidents) {
  const outages = await rows('SELECT from_ms AS fromMs, to_ms AS toMs FROM outages ORDER BY from_ms');
  const result = { all: [], early: 0, late: 0 };
  for (const { id } of silents) {
    const firings = await rows(
      'SELECT fired_ms AS ms FROM firings WHERE sensor_id = ? AND trigger_id = ? ORDER BY id',
      [id, triggers.silence],
    );
    const arrivals = await rows('SELECT received_ms AS ms FROM data_points WHERE sensor_id = ? ORDER BY received_ms', [
      id,
    ]);
    let last;
    for (const { ms: firedMs } of firings) {
      const arrival = arrivals.findLast(({ ms }) => ms <= firedMs)?.ms ?? 0;
      const dueMs = last && last.firedMs > arrival ? nextAfter(last, outages) : dueAfter(arrival, outages);
      last = { firedMs, dueMs };
      const late = firedMs - dueMs;
      result.all.push(late);
      if (late < 0) result.early += 1;
      const disturbed = incidents.some(({ fromMs, toMs }) => fromMs < firedMs && toMs + RECOVERY_MS > dueMs);
      if (late > LATE_MS && !disturbed) result.late += 1;
    }
  }
  return result;
}

/** The next period begins where this one was due, or now when that one is over as well. */
function nextAfter({ firedMs, dueMs }, outages) {
  const nextMs = dueAfter(dueMs, outages);
  return nextMs > firedMs ? nextMs : dueAfter(firedMs, outages);
}

function dueAfter(fromMs, outages) {
  let dueMs = fromMs + SILENCE_SECONDS * 1000;
  for (const outage of outages) {
    if (outage.toMs <= fromMs || outage.fromMs >= dueMs) continue;
    dueMs += outage.toMs - Math.max(outage.fromMs, fromMs);
  }
  return dueMs;
}
