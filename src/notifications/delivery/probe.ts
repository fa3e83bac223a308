const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

const LATE_MS = 60_000;

/** After an outage the period begins again. */
export function nextProbeMs(dueMs: number, periodS: number, nowMs: number): number {
  const fromMs = nowMs - dueMs > LATE_MS ? nowMs : dueMs;
  return fromMs + periodS * 1_000;
}

export function probing(probeS: number | null, nowMs: number): { probeS: number | null; probeDueMs: number | null } {
  return { probeS, probeDueMs: probeS === null ? null : nowMs + probeS * 1_000 };
}

export function probeText(periodS: number): string {
  return `This is a probe: nothing has happened. It comes every ${lengthOf(periodS)} and shows that alerts arrive here.`;
}

function lengthOf(seconds: number): string {
  if (seconds % DAY_S === 0) return `${seconds / DAY_S} d`;
  return seconds % HOUR_S === 0 ? `${seconds / HOUR_S} h` : `${seconds} s`;
}
