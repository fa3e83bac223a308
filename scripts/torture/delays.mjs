// How soon deliveries went out to a receiver that is always well, whatever the others do.
import { latestInTime } from './lateness.mjs';

/** For each delivery to the steady receiver, how many ms after its making it came for the first time. */
export async function judgeDelays(rows, received, incidents, stalls) {
  const firstMs = new Map();
  for (const { id, mood, atMs } of received) {
    if (mood === 'steady' && !firstMs.has(id)) firstMs.set(id, atMs);
  }
  const result = { late: [], tooLate: 0, remarks: [] };
  for (const { id, webhookId, madeMs } of await rows(
    'SELECT id, webhook_id AS webhookId, created_ms AS madeMs FROM deliveries',
  )) {
    const atMs = firstMs.get(webhookId);
    if (atMs === undefined) continue;
    result.late.push(atMs - madeMs);
    const stall = stalls.longest(madeMs, atMs);
    if (atMs <= latestInTime(madeMs, incidents) + stall) continue;
    result.tooLate += 1;
    result.remarks.push(
      `delivery ${id} came after ${atMs - madeMs} ms; meanwhile the test itself was kept waiting for ${stall} ms`,
    );
  }
  return result;
}
