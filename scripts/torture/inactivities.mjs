// Checks the firing times of inactivity triggers, by the rows and the recorded incidents.
import { latestInTime } from './lateness.mjs';
import { INACTIVITY_SECONDS } from './load.mjs';

/** The delay of each inactivity firing after its due time, in ms. Recorded outages postpone the due time. */
export async function judgeInactivities(rows, { inactive, triggers }, incidents, stalls) {
  const outages = await rows('SELECT from_ms AS fromMs, to_ms AS toMs FROM outages ORDER BY from_ms');
  const result = { late: [], early: 0, tooLate: 0, remarks: [] };
  for (const { id } of inactive) {
    const firings = await rows(
      'SELECT fired_ms AS ms FROM firings WHERE sensor_id = ? AND trigger_id = ? ORDER BY id',
      [id, triggers.inactivity],
    );
    // These points are sent without a date, so each is dated to the millisecond of its arrival.
    const arrivals = await rows('SELECT date_ms AS ms FROM data_points WHERE sensor_id = ? ORDER BY date_ms', [id]);
    let last;
    for (const { ms: firedMs } of firings) {
      const arrival = arrivals.findLast(({ ms }) => ms <= firedMs)?.ms ?? 0;
      const dueMs = last && last.firedMs > arrival ? nextAfter(last, outages) : dueAfter(arrival, outages);
      last = { firedMs, dueMs };
      const late = firedMs - dueMs;
      result.late.push(late);
      if (late < 0) result.early += 1;
      const stall = stalls.total(dueMs, firedMs);
      if (firedMs <= latestInTime(dueMs, incidents) + stalls.allowance(dueMs, firedMs)) continue;
      result.tooLate += 1;
      result.remarks.push(
        `sensor ${id}, due at ${stalls.secondsInto(dueMs)} s, fired ${late} ms late; meanwhile the timers of the test were ${stall} ms late in all`,
      );
    }
  }
  return result;
}

/** The next period begins when this one was due, or now if that one is over as well. */
function nextAfter({ firedMs, dueMs }, outages) {
  const nextMs = dueAfter(dueMs, outages);
  return nextMs > firedMs ? nextMs : dueAfter(firedMs, outages);
}

function dueAfter(fromMs, outages) {
  let dueMs = fromMs + INACTIVITY_SECONDS * 1000;
  for (const outage of outages) {
    if (outage.toMs <= fromMs || outage.fromMs >= dueMs) continue;
    dueMs += outage.toMs - Math.max(outage.fromMs, fromMs);
  }
  return dueMs;
}
