/**
 * Due inactivities are indexed by `sensor id mod 64`, as the migration that adds `due_slot` says: unlike its partition, the
 * slot of a sensor never changes.
 */
export const DUE_SLOTS = 64;

export function dueSlotOf(sensorId: number): number {
  return sensorId % DUE_SLOTS;
}

/** The slots with sensors of these partitions. Each slot is in one partition only where the number of partitions divides 64. */
export function slotsOf(partitions: readonly number[], partitionCount: number): number[] {
  const step = commonDivisor(partitionCount, DUE_SLOTS);
  const wanted = new Set(partitions.map((partition) => partition % step));
  return numbersBelow(DUE_SLOTS).filter((slot) => wanted.has(slot % step));
}

/** The partitions with sensors of these slots. */
export function partitionsOf(slots: readonly number[], partitionCount: number): number[] {
  const step = commonDivisor(partitionCount, DUE_SLOTS);
  const wanted = new Set(slots.map((slot) => slot % step));
  return numbersBelow(partitionCount).filter((partition) => wanted.has(partition % step));
}

function numbersBelow(end: number): number[] {
  return Array.from({ length: end }, (_, index) => index);
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
