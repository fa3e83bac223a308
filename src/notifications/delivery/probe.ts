const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

/** A probe that is made later than this after its time was held up by an outage, in ms. */
const LATE_MS = 60_000;

/**
 * When the next probe is due after one that was due at `dueMs` and is made now; `periodS` in seconds. After an outage the
 * period begins again, so that no two probes follow each other closely.
 */
export function nextProbeMs(dueMs: number, periodS: number, nowMs: number): number {
  const fromMs = nowMs - dueMs > LATE_MS ? nowMs : dueMs;
  return fromMs + periodS * 1_000;
}

/** A period of probes in seconds, null for none, and when the first one is due: after one period. */
export function probing(probeS: number | null, nowMs: number): { probeS: number | null; probeDueMs: number | null } {
  return { probeS, probeDueMs: probeS === null ? null : nowMs + probeS * 1_000 };
}

/** The text of a probe, for its reader. */
export function probeText(periodS: number): string {
  return `This is a probe: nothing has happened. It comes every ${lengthOf(periodS)} and shows that alerts arrive here.`;
}

function lengthOf(seconds: number): string {
  if (seconds % DAY_S === 0) return `${seconds / DAY_S} d`;
  return seconds % HOUR_S === 0 ? `${seconds / HOUR_S} h` : `${seconds} s`;
}
