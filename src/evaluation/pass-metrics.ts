import type { Metrics } from '../platform/metrics';
import type { SensorResult } from './pass-effects';

/** Records the metrics of a pass: its size and duration, its decisions and its firings. */
export function countPass(
  metrics: Metrics,
  results: readonly SensorResult[],
  { points, seconds }: { points: number; seconds: number },
): void {
  metrics.passes.inc({ outcome: results.length > 0 ? 'evaluated' : 'idle' });
  metrics.passSeconds.observe(seconds);
  metrics.passPoints.observe(points);
  const reasons = new Map<string, number>();
  for (const { changes } of results) {
    for (const firing of changes.firings) metrics.firings.inc({ reason: firing.reason });
    for (const { decision } of changes.decisions) reasons.set(decision.reason, (reasons.get(decision.reason) ?? 0) + 1);
    for (const [reason, count] of changes.unreported) reasons.set(reason, (reasons.get(reason) ?? 0) + count);
  }
  for (const [reason, count] of reasons) metrics.decisions.inc({ reason }, count);
}
