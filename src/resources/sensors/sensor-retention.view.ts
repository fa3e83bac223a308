import type { SensorRetention } from './sensor-retention.service';

/** The retention of a sensor's data points, in days after their dates. */
export interface RetentionView {
  /**
   * The owner's setting; null if there is none.
   * @isInt
   * @example 30
   */
  days: number | null;
  /**
   * The effective retention: at most the retention of the platform. Null is unlimited.
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
