import type { DataPoint } from '../../../points';
import type { LateArrivals } from '../../rules/sensor-state';

/** An array that begins empty has room for 17 items, and a list usually holds one. */
export function withNext<T>(list: T[] | undefined, next: T): T[] {
  if (!list) return [next];
  list.push(next);
  return list;
}

export function withCounted<T>(counts: Map<T, number> | undefined, key: T): Map<T, number> {
  const all = counts ?? new Map<T, number>();
  return all.set(key, (all.get(key) ?? 0) + 1);
}

export function withLate(
  late: Map<number, LateArrivals> | undefined,
  sensorTriggerId: number,
  { dateMs }: DataPoint,
): Map<number, LateArrivals> {
  const all = late ?? new Map<number, LateArrivals>();
  const { points, fromMs, untilMs } = all.get(sensorTriggerId) ?? { points: 0, fromMs: dateMs, untilMs: dateMs };
  const range = { fromMs: Math.min(fromMs, dateMs), untilMs: Math.max(untilMs, dateMs) };
  return all.set(sensorTriggerId, { sensorTriggerId, points: points + 1, ...range });
}
