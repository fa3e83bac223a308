// The permitted delay after a due time: longer if a required server is down.

/** The promise if nothing is down. An incident allows RECOVERY_MS more. */
const LATE_MS = 2_000;
const RECOVERY_MS = 10_000;

/**
 * The last moment that is in time, given these incidents: each that began before it may postpone it. `lateMs` is the
 * promise.
 */
export function latestInTime(dueMs, incidents, lateMs = LATE_MS) {
  let latestMs = dueMs + lateMs;
  for (const { fromMs, toMs } of incidents) {
    if (fromMs < latestMs && toMs + RECOVERY_MS > dueMs) latestMs = Math.max(latestMs, toMs + RECOVERY_MS + lateMs);
  }
  return latestMs;
}
