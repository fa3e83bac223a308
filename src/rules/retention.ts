/** Whole days, 1 to 36,500; null is unlimited. */
export type RetentionDays = number | null;

/** Retention of a sensor's points: the shorter of the sensor's and the platform's. */
export function effectiveRetention(ofSensor: RetentionDays, ofPlatform: RetentionDays): RetentionDays {
  if (ofSensor === null || ofPlatform === null) return ofSensor ?? ofPlatform;
  return Math.min(ofSensor, ofPlatform);
}
