// The delay of deliveries to a receiver that never fails, while other receivers do.
import { latestInTime } from './lateness.mjs';

/** For each delivery to the steady receiver: the time from its creation to its first arrival, in ms. */
export async function judgeDelays(rows, received, incidents, stalls) {
  const firstMs = new Map();
  for (const { id, mood, atMs } of received) {
    if (mood === 'steady' && !firstMs.has(id)) firstMs.set(id, atMs);
  }
  const result = { late: [], tooLate: 0, remarks: [] };
  for (const { id, webhookId, createdMs, attemptMs, durationMs } of await rows(
    `SELECT d.id, d.webhook_id AS webhookId, d.created_ms AS createdMs, a.date_ms AS attemptMs, a.duration_ms AS durationMs
     FROM deliveries d
     LEFT JOIN delivery_attempts a ON a.id = (SELECT MIN(f.id) FROM delivery_attempts f WHERE f.delivery_id = d.id)
     WHERE d.escalation = FALSE`,
  )) {
    const atMs = firstMs.get(webhookId);
    if (atMs === undefined) continue;
    result.late.push(atMs - createdMs);
    const stall = stalls.total(createdMs, atMs);
    if (atMs <= latestInTime(createdMs, incidents) + stalls.allowance(createdMs, atMs)) continue;
    result.tooLate += 1;
    result.remarks.push(
      `delivery ${id} of ${stalls.secondsInto(createdMs)} s arrived after ${atMs - createdMs} ms, its first attempt was recorded after ${attemptMs - createdMs} ms and took ${durationMs} ms; meanwhile the timers of the test were ${stall} ms late in all`,
    );
  }
  return result;
}
