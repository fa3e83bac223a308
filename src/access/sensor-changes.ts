import { randomUUID } from 'node:crypto';
import type { Transaction } from 'sequelize';
import { SelectorOwner } from '../storage/models/selector-owner.model';

/**
 * Records that sensors of a user may match other selectors: a sensor was created or deleted, or its metatags or
 * properties have changed. Belongs into the transaction of the change, best at its end, because it locks a row of the
 * user. The selectors follow after the commit.
 */
export async function noteSensorChange(ownerId: number, transaction: Transaction): Promise<void> {
  await SelectorOwner.upsert({ ownerId, version: randomUUID() }, { fields: ['version'], transaction });
}

/** The same for a change of a selector. From now on, changes of the user's sensors are followed. */
export async function noteSelectorChange(ownerId: number, transaction: Transaction): Promise<void> {
  const row = { ownerId, version: randomUUID(), watched: true };
  await SelectorOwner.upsert(row, { fields: ['version', 'watched'], transaction });
}
