import { editRules, type ModelEdit, type SensorSource } from '../../access/rule-edit';
import type { Clock } from '../../platform/clock';
import { NotFound } from '../../platform/errors';
import type { Database } from '../../storage';
import { PasswordReset } from '../../storage/models/password-reset.model';
import { User } from '../../storage/models/user.model';
import { forUpdate } from '../../storage/transaction';

/** `afterId` continues the step before. */
interface OwnerStep {
  ownerId: number;
  afterId: number;
  nowMs: number;
}

/** Returns where the next step continues, undefined after the last. */
type Step = (edit: ModelEdit, step: OwnerStep) => Promise<number | undefined>;

/** What the triggers of an account watch. */
export interface OwnerWatches {
  stop: Step;
  start: Step;
  affected(userId: number): SensorSource;
}

/**
 * A disabled account keeps its data; its credentials are refused, its MQTT sources disconnect, its triggers and
 * services do nothing. For operators.
 */
export class DisabledAccounts {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly watches: OwnerWatches,
  ) {}

  /**
   * Takes effect at once in all processes. Returns false if the account was disabled before. Throws NotFound.
   * Repeatable after a failure.
   */
  async disable(userId: number): Promise<boolean> {
    const isNew = await this.set(userId, this.clock.now());
    await this.eachStep(userId, this.watches.stop);
    return isNew;
  }

  /**
   * Inactivity of sensors counts from now. Returns false if it was enabled before. Throws NotFound. Repeatable after a
   * failure.
   */
  async enable(userId: number): Promise<boolean> {
    const user = await User.findOne({ where: { id: userId, closedMs: null } });
    if (user && user.disabledMs === null) return false;
    await this.eachStep(userId, this.watches.start); // nothing of it is due before the account is enabled
    return this.set(userId, null);
  }

  private set(userId: number, disabledMs: number | null): Promise<boolean> {
    return editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      const user = await User.findOne({ where: { id: userId, closedMs: null }, ...forUpdate(transaction) });
      if (!user) throw new NotFound('the user');
      if ((user.disabledMs === null) === (disabledMs === null)) return false;
      await edit.affects(this.watches.affected(userId));
      await edit.affects({ ownerId: userId });
      await user.update({ disabledMs }, { transaction });
      await PasswordReset.destroy({ where: { userId }, transaction });
      // The worker with a source's lease may write with the present revision only.
      await edit.run('UPDATE mqtt_sources SET revision = revision + 1 WHERE owner_id = ?', [userId]);
      return true;
    });
  }

  private async eachStep(ownerId: number, work: Step): Promise<void> {
    const nowMs = this.clock.now();
    for (let afterId: number | undefined = 0; afterId !== undefined; ) {
      const step: OwnerStep = { ownerId, afterId, nowMs };
      afterId = await editRules(this.database.sequelize, (edit) => work(edit, step));
    }
  }
}
