import { Op, type Transaction } from 'sequelize';
import { noteSelectorChange } from '../../access/sensor-changes';
import { Conflict } from '../../platform/errors';
import type { Selector } from '../../rules/selector';
import type { Database } from '../../storage';
import { Trigger } from '../../storage/models/trigger.model';
import { countSelected } from './selected-sensors';

/** Maximum number of sensors that a selector connects. */
export const MAX_SELECTED = 10_000;
/** Maximum number of triggers of a user with selectors: each is compared after each change of the user's sensors. */
const MAX_SELECTORS = 100;

/** The limits of selectors, and the record of their changes. */
export class SelectorsService {
  constructor(private readonly database: Database) {}

  /** Number of own sensors that the selector matches; Conflict if it cannot connect all of them. */
  async requireFew(userId: number, selector: Selector): Promise<number> {
    const count = await countSelected(this.database.reads, userId, selector);
    if (count <= MAX_SELECTED) return count;
    const why = `matches ${count} sensors, and a selector connects at most ${MAX_SELECTED}`;
    throw new Conflict(`trigger.selector ${why}`, 'conflict', { 'trigger.selector': why });
  }

  /**
   * Records that a selector of the user was changed, in the transaction of the change; Conflict if the user has too
   * many.
   */
  async noteChange(userId: number, transaction: Transaction): Promise<void> {
    // Locks a row of the user: of two changes at once, the second counts the selector of the first.
    await noteSelectorChange(userId, transaction);
    const where = { ownerId: userId, selector: { [Op.ne]: null } };
    if ((await Trigger.count({ where, transaction })) > MAX_SELECTORS) {
      throw new Conflict(`you have ${MAX_SELECTORS} triggers with selectors: remove a selector first`);
    }
  }
}
