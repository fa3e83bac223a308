// Until when something may happen that is due: at once, but not while what it needs is broken.

/** Promised without faults; after an incident a delay of RECOVERY_MS more. */
const LATE_MS = 2_000;
const RECOVERY_MS = 10_000;

/** The last instant in time, if these were the incidents: each that began before then may put it off. */
export function latestInTime(dueMs, incidents) {
  let latestMs = dueMs + LATE_MS;
  for (const { fromMs, toMs } of incidents) {
    if (fromMs < latestMs && toMs + RECOVERY_MS > dueMs) latestMs = Math.max(latestMs, toMs + RECOVERY_MS + LATE_MS);
  }
  return latestMs;
}
