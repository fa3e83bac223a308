import type { UploadedPoint } from '../../src/points/data-points/data-point';
import type { Random } from './random';

const HOUR_MS = 3_600_000;

/** The uploads of the client of one sensor, each after a wait. */
export interface ClientPlan {
  sensorId: number;
  /** Whether it waits for the response to an upload before the next. */
  isPatient: boolean;
  uploads: { waitMs: number; points: { value: string; aheadMs: number | undefined }[] }[];
}

/** Random uploads of the client of a sensor. */
export function buildClient(random: Random, sensorId: number): ClientPlan {
  const uploads = Array.from({ length: random.between(0, 7) }, (_, upload) => {
    const isUndated = random.chance(0.4);
    return {
      waitMs: random.chance(0.5) ? random.between(0, 3_000) : random.between(20_000, 100_000),
      points: Array.from({ length: random.between(1, 3) }, (_, at) => {
        const value = random.between(-20, 100);
        return isUndated
          ? { value: undatedValue(value, upload * 10 + at), aheadMs: undefined }
          : { value: String(value), aheadMs: aheadOf(random) };
      }),
    };
  });
  return { sensorId, isPatient: random.chance(0.5), uploads };
}

/** A value of a point without a date: only these have a fraction, and each of a sensor has another one. */
function undatedValue(value: number, serial: number): string {
  return `${value}.${String(serial).padStart(3, '0')}5`;
}

export function isUndated(value: string): boolean {
  return value.includes('.');
}

/** The lead of a point's date over its upload: mostly slightly negative, sometimes late or far ahead. */
function aheadOf(random: Random): number {
  if (random.chance(0.1)) return -random.between(1_000, 200_000);
  return random.chance(0.05) ? random.between(HOUR_MS - 10_000, HOUR_MS + 100_000) : -random.between(0, 900);
}

/** The points of an upload at this moment, with unique dates per sensor. */
export function datedPoints(
  points: ClientPlan['uploads'][number]['points'],
  nowMs: number,
  taken: Set<number>,
): UploadedPoint[] {
  return points.map(({ value, aheadMs }) => {
    if (aheadMs === undefined) return { value, dateMs: undefined };
    let dateMs = nowMs + aheadMs;
    while (taken.has(dateMs)) dateMs += 1;
    taken.add(dateMs);
    return { value, dateMs };
  });
}
