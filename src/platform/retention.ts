export type RetentionDays = number | null;

/** The shorter of the sensor's and the platform's. */
export function effectiveRetention(ofSensor: RetentionDays, ofPlatform: RetentionDays): RetentionDays {
  if (ofSensor === null || ofPlatform === null) return ofSensor ?? ofPlatform;
  return Math.min(ofSensor, ofPlatform);
}

export interface PointStorage {
  useDataStorage: boolean;
  retentionDays: RetentionDays;
}

/** Days: 0 stores none, null keeps all. */
export function keptDays({ useDataStorage, retentionDays }: PointStorage, platformDays: RetentionDays): RetentionDays {
  return useDataStorage ? effectiveRetention(retentionDays, platformDays) : 0;
}

export function storageOf(stores: unknown, days: unknown): PointStorage {
  return { useDataStorage: Boolean(stores), retentionDays: days === null ? null : Number(days) };
}
