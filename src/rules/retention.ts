/** Whole days, 1 to 36,500; null is without an end. */
export type RetentionDays = number | null;

/** How long points of a sensor are kept: nobody can keep them for longer than the platform does. */
export function effectiveRetention(ofSensor: RetentionDays, ofPlatform: RetentionDays): RetentionDays {
  if (ofSensor === null || ofPlatform === null) return ofSensor ?? ofPlatform;
  return Math.min(ofSensor, ofPlatform);
}
