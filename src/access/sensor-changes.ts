import { randomUUID } from 'node:crypto';
import type { Transaction } from 'sequelize';
import { SelectorOwner } from '../storage/models/selector-owner.model';

/**
 * Sensors may match other selectors: created, deleted, other metatags or properties. Call in the transaction of the
 * change, best at its end, because it locks a row of the user. Selectors follow after the commit.
 */
export async function noteSensorChange(ownerId: number, transaction: Transaction): Promise<void> {
  await SelectorOwner.upsert({ ownerId, version: randomUUID() }, { fields: ['version'], transaction });
}

/** For a changed selector. From now on, changes of the user's sensors are followed. */
export async function noteSelectorChange(ownerId: number, transaction: Transaction): Promise<void> {
  const row = { ownerId, version: randomUUID(), watched: true };
  await SelectorOwner.upsert(row, { fields: ['version', 'watched'], transaction });
}
