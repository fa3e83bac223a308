import { randomUUID } from 'node:crypto';
import type { Transaction } from 'sequelize';
import { SelectorOwner } from '../storage/models/selector-owner.model';

/** Call at the end of the transaction of the change: it locks a row of the user. */
export async function markSensorChange(ownerId: number, transaction: Transaction): Promise<void> {
  const version = randomUUID();
  const row = { ownerId, version, latestVersion: version };
  await SelectorOwner.upsert(row, { fields: ['version', 'latestVersion'], transaction });
}

/** Changes of the user's sensors are followed from now on. */
export async function markSelectorChange(ownerId: number, transaction: Transaction): Promise<void> {
  const row = { ownerId, version: randomUUID(), watched: true };
  await SelectorOwner.upsert(row, { fields: ['version', 'watched'], transaction });
}
