/** Unlike its partition, a sensor's bucket never changes. */
export const DUE_BUCKETS = 64;

export function dueBucketOf(sensorId: number): number {
  return sensorId % DUE_BUCKETS;
}

/** A bucket lies in one partition only if the partition count divides 64. */
export function bucketsOf(partitions: readonly number[], partitionCount: number): number[] {
  const step = commonDivisor(partitionCount, DUE_BUCKETS);
  const wanted = new Set(partitions.map((partition) => partition % step));
  return numbersBelow(DUE_BUCKETS).filter((bucket) => wanted.has(bucket % step));
}

export function partitionsOf(buckets: readonly number[], partitionCount: number): number[] {
  const step = commonDivisor(partitionCount, DUE_BUCKETS);
  const wanted = new Set(buckets.map((bucket) => bucket % step));
  return numbersBelow(partitionCount).filter((partition) => wanted.has(partition % step));
}

function numbersBelow(end: number): number[] {
  return Array.from({ length: end }, (_, index) => index);
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
