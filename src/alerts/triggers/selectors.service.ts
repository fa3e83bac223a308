import { Op, type Transaction } from 'sequelize';
import { markSelectorChange } from '../../access/sensor-changes';
import { FairSemaphore } from '../../fairness/fair-semaphore';
import { Conflict, InvalidInput, TooMany } from '../../platform/errors';
import type { Database } from '../../storage';
import { Trigger } from '../../storage/models/trigger.model';
import { isOverTime } from '../../storage/mysql-errors';
import type { Selector } from '../rules/selector';
import { countSelected } from './selected-sensors';
import { TOO_SLOW } from './selector-rounds';

export const MAX_SELECTED = 10_000;
/** Every change of the user's sensors compares all of them. */
const MAX_SELECTORS = 100;
/** Concurrent counts of all users, and of one. */
const COUNTS_AT_ONCE = 2;
const COUNTS_PER_USER = 1;
const LONGEST_WAIT_MS = 500;

export class SelectorsService {
  private readonly counts = new FairSemaphore<number>({ atOnce: COUNTS_AT_ONCE, perTenant: COUNTS_PER_USER });

  constructor(private readonly database: Database) {}

  /**
   * Returns how many sensors match. Throws Conflict if they cannot all be connected, InvalidInput if counting takes too
   * long, TooMany while others are counted.
   */
  async requireFew(userId: number, selector: Selector, path = 'trigger.selector'): Promise<number> {
    const count = await this.count(userId, selector, path);
    if (count <= MAX_SELECTED) return count;
    const why = `matches ${count} sensors, and a selector connects at most ${MAX_SELECTED}`;
    throw new Conflict(`${path} ${why}`, 'conflict', { [path]: why });
  }

  /** The columns of a trigger. Throws as `requireFew`. Without a selector, the number stays until sensors are disconnected. */
  async read(userId: number, selector: Selector | null) {
    if (selector === null) return { selector: null, selectorError: null };
    const selectedSensors = await this.requireFew(userId, selector);
    return { selector: JSON.stringify(selector), selectedSensors, selectorError: null };
  }

  /** Records a change in its transaction. Throws Conflict if the user has too many selectors. */
  async markChange(userId: number, transaction: Transaction): Promise<void> {
    // Locks a row of the user: of two changes, the second counts the selector of the first.
    await markSelectorChange(userId, transaction);
    const where = { ownerId: userId, selector: { [Op.ne]: null } };
    if ((await Trigger.count({ where, transaction })) > MAX_SELECTORS) {
      throw new Conflict(`you have ${MAX_SELECTORS} triggers with selectors: remove a selector first`);
    }
  }

  /** A count holds a permit for changes, so only few may take long, and few wait. */
  private async count(userId: number, selector: Selector, path: string): Promise<number> {
    const leave = await this.counts.enter(userId, AbortSignal.timeout(LONGEST_WAIT_MS)).catch(() => {
      throw new TooMany('the sensors of other selectors are counted at the moment, for one of each user; try again', 1);
    });
    try {
      return await countSelected(this.database.selections, userId, selector);
    } catch (error) {
      throw isOverTime(error) ? InvalidInput.field(path, TOO_SLOW) : error;
    } finally {
      leave();
    }
  }
}
