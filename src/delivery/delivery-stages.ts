import type { Metrics } from '../platform/metrics';
import type { Attempt, DeliveryRow } from './attempt';

export interface Instants {
  sentMs: number | null;
  answeredMs: number | null;
}

/** When the delivery was sent and when its receiver answered, each null if it did not happen. */
export function instantsOf({ outcome, startedMs, durationMs }: Attempt, whyNotSent: string | null): Instants {
  const isAnswered = outcome.kind === 'delivered' || outcome.statusCode !== undefined;
  return {
    sentMs: whyNotSent === null ? startedMs : null,
    answeredMs: isAnswered ? startedMs + durationMs : null,
  };
}

/**
 * Records the duration of each stage, from the upload of the point to the receiver's response. The stages up to the
 * first attempt are recorded once; later attempts, including those of a redelivery, record only their response.
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
    // Clocks of different machines differ a little; a duration is never negative.
    metrics.deliveryStages.observe({ stage }, Math.max(0, toMs - fromMs) / 1000);
  }
}
