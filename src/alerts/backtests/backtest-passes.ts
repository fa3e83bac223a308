import type { TriggerRule } from '../rules/trigger-rule';
import type { TimeSlice } from './backtest-points';
import type { Tried } from './backtest-result';

/** Returns until when all runs have decided. */
export async function passAll(all: readonly Tried[], slice: TimeSlice): Promise<number> {
  let { untilMs, points } = slice;
  const { results } = slice;
  for (const { run } of all) {
    const reachedMs = await run.pass({ points, untilMs, results });
    if (reachedMs < untilMs) points = points.filter(({ dateMs }) => dateMs <= reachedMs);
    untilMs = reachedMs;
  }
  return untilMs;
}

/** Seconds between decisions of the clock on an inactivity. */
export function shortestPeriod({ inactivity, repeat }: TriggerRule): number {
  return inactivity === null ? Number.POSITIVE_INFINITY : Math.min(inactivity, repeat || inactivity);
}
