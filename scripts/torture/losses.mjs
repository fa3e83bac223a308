// Details of deliveries that should have ended long ago, to find out why they did not.

const MOST_SHOWN = 25;

/** A line per delivery that is pending or failed: its state and the state of its receiver. */
export async function describeLosses(rows, urls) {
  const nowMs = Date.now();
  const lost = await rows(
    `SELECT d.id, d.status, d.attempts, d.next_attempt_ms, d.lease_until_ms, d.permit, d.throttled_ms, d.receiver, p.delivery_id AS throttled,
       a.failures, (SELECT error FROM delivery_attempts t WHERE t.delivery_id = d.id ORDER BY t.id DESC LIMIT 1) AS error
     FROM deliveries d LEFT JOIN throttled_deliveries p ON p.delivery_id = d.id LEFT JOIN degraded_receivers a ON a.receiver = d.receiver
     WHERE d.status <> 'delivered' ORDER BY d.id`,
  );
  const moodOf = moods(urls);
  const since = (ms) => (ms === null ? 'none' : `${((Number(ms) - nowMs) / 1000).toFixed(1)} s`);
  const lines = lost
    .slice(0, MOST_SHOWN)
    .map((row) =>
      [
        `delivery ${row.id} to ${moodOf.get(row.receiver) ?? row.receiver}: ${row.status} after ${row.attempts} attempts`,
        `next ${since(row.next_attempt_ms)}, lease ${since(row.lease_until_ms)}, permit ${row.permit ?? 'none'}`,
        row.throttled_ms === null && row.throttled === null
          ? 'not throttled'
          : `throttled ${since(row.throttled_ms)}${row.throttled === null ? ' (no row)' : ''}`,
        `receiver failed ${row.failures ?? 0}× in a row${row.error === null ? '' : `, last error: ${row.error}`}`,
      ].join('; '),
    );
  if (lost.length > MOST_SHOWN) lines.push(`… and ${lost.length - MOST_SHOWN} more`);
  return lines;
}

/** A line per attempt that failed at the receiver that never fails: then the fault is between the two. */
export async function describeFailuresAt(rows, url) {
  const failed = await rows(
    `SELECT a.delivery_id AS id, a.date_ms AS atMs, a.date_ms - d.created_ms AS afterMs, a.duration_ms AS tookMs, a.error
     FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id
     WHERE d.receiver = ? AND a.error IS NOT NULL ORDER BY a.date_ms`,
    [new URL(url).host],
  );
  const lines = failed.map(
    ({ id, atMs, afterMs, tookMs, error }) =>
      `${new Date(Number(atMs)).toISOString()} delivery ${id}, ${afterMs} ms old: ${error} after ${tookMs} ms`,
  );
  return { count: failed.length, lines: lines.slice(-MOST_SHOWN) };
}

function moods(urls) {
  return new Map(Object.entries(urls).map(([mood, url]) => [new URL(url).host, mood]));
}
