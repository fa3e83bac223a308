// The permitted delay after a due time: longer if a required server is down.

/** The promise if nothing is down. An incident allows RECOVERY_MS more. */
const LATE_MS = 2_000;
const RECOVERY_MS = 10_000;

/** The last moment that is in time, given these incidents: each that began before it may postpone it. */
export function latestInTime(dueMs, incidents) {
  let latestMs = dueMs + LATE_MS;
  for (const { fromMs, toMs } of incidents) {
    if (fromMs < latestMs && toMs + RECOVERY_MS > dueMs) latestMs = Math.max(latestMs, toMs + RECOVERY_MS + LATE_MS);
  }
  return latestMs;
}
