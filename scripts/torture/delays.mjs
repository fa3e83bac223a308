// The delay of deliveries to a receiver that never fails, while other receivers do.
import { latestInTime } from './lateness.mjs';

/** For each delivery to the steady receiver: the time from its creation to its first arrival, in ms. */
export async function judgeDelays(rows, received, incidents, stalls) {
  const firstMs = new Map();
  for (const { id, mood, atMs } of received) {
    if (mood === 'steady' && !firstMs.has(id)) firstMs.set(id, atMs);
  }
  const result = { late: [], tooLate: 0, remarks: [] };
  for (const { id, webhookId, createdMs } of await rows(
    'SELECT id, webhook_id AS webhookId, created_ms AS createdMs FROM deliveries WHERE escalation = FALSE',
  )) {
    const atMs = firstMs.get(webhookId);
    if (atMs === undefined) continue;
    result.late.push(atMs - createdMs);
    const stall = stalls.total(createdMs, atMs);
    if (atMs <= latestInTime(createdMs, incidents) + stalls.allowance(createdMs, atMs)) continue;
    result.tooLate += 1;
    result.remarks.push(
      `delivery ${id} of ${stalls.secondsInto(createdMs)} s arrived after ${atMs - createdMs} ms; meanwhile the timers of the test were ${stall} ms late in all`,
    );
  }
  return result;
}
