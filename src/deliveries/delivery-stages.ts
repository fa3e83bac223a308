import type { Metrics } from '../metrics';
import type { DeliveryRow } from './attempt';

/** The last two instants of an attempt, as far as it got. */
export interface Instants {
  sentMs: number | null;
  answeredMs: number | null;
}

/**
 * Measures how long each stage took, from the upload of the point to the receiver's answer. The way to the first
 * attempt is measured once; later ones, of a redelivery too, add only their answer.
 */
export function observeStages(metrics: Metrics, row: DeliveryRow, { sentMs, answeredMs }: Instants): void {
  const instants: [stage: string, fromMs: number | null, toMs: number | null][] = [
    ['store', row.received_ms, row.stored_ms],
    ['evaluate', row.stored_ms, row.evaluated_ms],
    ['queue', row.evaluated_ms, row.created_ms],
    ['send', row.created_ms, sentMs],
    ['answer', sentMs, answeredMs],
  ];
  for (const [stage, fromMs, toMs] of instants) {
    if (fromMs === null || toMs === null || (stage !== 'answer' && row.sent_ms !== null)) continue;
    // Clocks of machines differ by a little: never less than nothing.
    metrics.deliveryStages.observe({ stage }, Math.max(0, toMs - fromMs) / 1000);
  }
}
