import type { SensorRetention } from './sensor-retention.service';

/** How long the data points of a sensor are kept, in days after their dates. */
export interface RetentionView {
  /**
   * What its owner has set; null when nothing is set.
   * @isInt
   * @example 30
   */
  days: number | null;
  /**
   * What holds: no more than the platform allows. Null is without an end.
   * @isInt
   * @example 30
   */
  effective_days: number | null;
}

/** The response with the retention of a sensor. */
export interface RetentionResponse {
  retention: RetentionView;
}

export function toRetentionResponse({ days, effectiveDays }: SensorRetention): RetentionResponse {
  return { retention: { days, effective_days: effectiveDays } };
}
