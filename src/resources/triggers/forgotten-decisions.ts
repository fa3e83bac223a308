import type { Transaction } from 'sequelize';
import { DeletedThing } from '../../storage/models/deleted-thing.model';

/** Workers store decisions a moment after their pass, and give up after half of this time. */
const STORED_BY_MS = 60_000;

/**
 * Makes the purge delete the stored decisions about these sensors by sensor triggers that this transaction deletes, as
 * soon as no worker can still be storing any.
 */
export async function forgetDecisions(
  sensorIds: readonly number[],
  nowMs: number,
  transaction: Transaction,
): Promise<void> {
  if (sensorIds.length === 0) return;
  const times = { createdMs: nowMs, retryAtMs: nowMs + STORED_BY_MS };
  const entries = sensorIds.map((thingId) => ({ kind: 'decisions' as const, thingId, ...times }));
  await DeletedThing.bulkCreate(entries, { updateOnDuplicate: ['createdMs', 'retryAtMs'], transaction });
}
