/** Whole days, 1 to 36,500; null is unlimited. */
export type RetentionDays = number | null;

/** Retention of a sensor's points: the shorter of the sensor's and the platform's. */
export function effectiveRetention(ofSensor: RetentionDays, ofPlatform: RetentionDays): RetentionDays {
  if (ofSensor === null || ofPlatform === null) return ofSensor ?? ofPlatform;
  return Math.min(ofSensor, ofPlatform);
}

/** How a sensor stores its points. */
export interface PointStorage {
  useDataStorage: boolean;
  retentionDays: RetentionDays;
}

/** For how many days a sensor keeps its points: 0 if it stores none, null if all. */
export function keptDays({ useDataStorage, retentionDays }: PointStorage, platformDays: RetentionDays): RetentionDays {
  return useDataStorage ? effectiveRetention(retentionDays, platformDays) : 0;
}

/** The storage of a sensor, as its columns have it. */
export function storageOf(stores: unknown, days: unknown): PointStorage {
  return { useDataStorage: Boolean(stores), retentionDays: days === null ? null : Number(days) };
}
