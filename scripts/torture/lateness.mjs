// The permitted delay after a due time: longer if a required server is down.

/** The promise if nothing is down. An incident allows RECOVERY_MS more. */
const LATE_MS = 2_000;
const RECOVERY_MS = 10_000;
/** The other processes of the kind take over from the moment of the kill. */
const TAKEN_OVER = new Set(['worker', 'API']);

/**
 * The last moment that is in time, given these incidents. Each that touches the time until then counts once, by how long it
 * lasted after the due time; the recovery counts once for all of them. `lateMs` is the promise.
 */
export function latestInTime(dueMs, incidents, lateMs = LATE_MS) {
  let downMs = 0;
  let recoveryMs = 0;
  for (const { what, fromMs, toMs } of incidents.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const endMs = TAKEN_OVER.has(what) ? fromMs : toMs;
    if (fromMs >= dueMs + lateMs + downMs + recoveryMs || endMs + RECOVERY_MS <= dueMs) continue;
    downMs += Math.max(0, endMs - Math.max(fromMs, dueMs));
    recoveryMs = Math.max(recoveryMs, Math.min(RECOVERY_MS, endMs + RECOVERY_MS - dueMs));
  }
  return dueMs + lateMs + downMs + recoveryMs;
}
