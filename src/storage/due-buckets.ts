/**
 * Due inactivities are indexed by `sensor id mod 64`, as the migration that adds `due_slot` says: unlike its partition, the
 * slot of a sensor never changes.
 */
export const DUE_BUCKETS = 64;

export function dueBucketOf(sensorId: number): number {
  return sensorId % DUE_BUCKETS;
}

/** The slots with sensors of these partitions. Each slot is in one partition only where the number of partitions divides 64. */
export function bucketsOf(partitions: readonly number[], partitionCount: number): number[] {
  const step = commonDivisor(partitionCount, DUE_BUCKETS);
  const wanted = new Set(partitions.map((partition) => partition % step));
  return numbersBelow(DUE_BUCKETS).filter((slot) => wanted.has(slot % step));
}

/** The partitions with sensors of these slots. */
export function partitionsOf(slots: readonly number[], partitionCount: number): number[] {
  const step = commonDivisor(partitionCount, DUE_BUCKETS);
  const wanted = new Set(slots.map((slot) => slot % step));
  return numbersBelow(partitionCount).filter((partition) => wanted.has(partition % step));
}

function numbersBelow(end: number): number[] {
  return Array.from({ length: end }, (_, index) => index);
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
