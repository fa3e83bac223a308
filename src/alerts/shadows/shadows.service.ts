import { Op } from 'sequelize';
import type { Changer } from '../../access/author';
import { findOwned } from '../../access/find-owned';
import { lockUser } from '../../access/locked-user';
import { editRules, type ModelEdit } from '../../access/rule-edit';
import type { EventLog } from '../../events/event-log';
import type { Clock } from '../../platform/clock';
import { Conflict, NotFound } from '../../platform/errors';
import type { RetentionDays } from '../../platform/retention';
import type { Database } from '../../storage';
import { Trigger } from '../../storage/models/trigger.model';
import { TriggerShadow } from '../../storage/models/trigger-shadow.model';
import { forUpdate, runOn } from '../../storage/transaction';
import type { DeliveredEnds } from '../firings/delivered-ends';
import { CAUSES } from '../rules/episode';
import { ruleOf } from '../rules/trigger-rule';
import { flushStates } from '../trigger-store/latest-points';
import { beginShadows, countUntried, endShadows, forgetInactive } from '../trigger-store/shadow-states';
import { readSwitched } from '../trigger-store/shadow-switch';
import { changedRule, type RuleInput } from '../triggers/rule-input';
import type { EditedTrigger, TriggersService } from '../triggers/triggers.service';
import { requireUsableWindows } from '../triggers/window-storage';

export interface FoundShadow {
  trigger: Trigger;
  shadow: TriggerShadow;
}

const MOST_RUNNING = 20;
const DAY_MS = 86_400_000;
const ENDED_AT_ONCE = 100;

/** Changed rules that are tried on the live points of their triggers, with states of their own, and deliver nothing. */
export class ShadowsService {
  constructor(
    private readonly database: Database,
    private readonly triggers: Pick<TriggersService, 'find' | 'switchTo'>,
    private readonly events: EventLog,
    private readonly ends: Pick<DeliveredEnds, 'endMost'>,
    private readonly clock: Clock,
    private readonly retentionDays: RetentionDays,
  ) {}

  /** Replaces one that has ended. Throws InvalidInput, NotFound, and Conflict while one runs, or too many others do. */
  async begin(userId: number, triggerId: number, input: RuleInput, days: number): Promise<FoundShadow> {
    return editRules(this.database.sequelize, async (edit) => {
      const { transaction, run } = edit;
      await lockUser(userId, transaction);
      // The lock also keeps sensors from being connected meanwhile.
      const own = { id: triggerId, ownerId: userId };
      const trigger = await findOwned(Trigger, own, 'the trigger', forUpdate(transaction));
      const rule = changedRule(ruleOf(trigger), input, 'shadow');
      await requireUsableWindows(rule, this.retentionDays, { id: triggerId, run }, 'shadow');
      const former = await TriggerShadow.findOne({ where: { triggerId }, ...forUpdate(transaction) });
      if (former?.endedMs === null) throw new Conflict('the trigger has a shadow: end it first, or switch to it');
      const running = await TriggerShadow.count({ where: { ownerId: userId, endedMs: null }, transaction });
      if (running >= MOST_RUNNING) throw new Conflict(`you have ${MOST_RUNNING} shadows: end one first`);
      // No pass decides until the shadow has begun.
      await flushStates(edit, { triggerId });
      await former?.destroy({ transaction });
      const nowMs = this.clock.now();
      const times = { createdMs: nowMs, untilMs: nowMs + days * DAY_MS };
      const shadow = await TriggerShadow.create({ ...rule, triggerId, ownerId: userId, ...times }, { transaction });
      await beginShadows(edit, { triggerId }, nowMs);
      return { trigger, shadow };
    });
  }

  /** Also one that has ended. Throws NotFound. */
  async find(userId: number, triggerId: number): Promise<FoundShadow> {
    const trigger = await this.triggers.find(userId, triggerId);
    const shadow = await TriggerShadow.findOne({ where: { triggerId } });
    if (!shadow) throw new NotFound('the shadow of the trigger');
    return { trigger, shadow };
  }

  /** Ends and forgets the shadow. Throws NotFound. */
  async remove(userId: number, triggerId: number): Promise<void> {
    await this.find(userId, triggerId);
    await editRules(this.database.sequelize, async (edit) => {
      await endShadows(edit, triggerId);
      await TriggerShadow.destroy({ where: { triggerId }, transaction: edit.transaction });
    });
  }

  /**
   * The rule and the states of the shadow become those of the trigger. Episodes that are open in both go on; those of
   * the shadow alone fire now. Throws NotFound, and Conflict after its end.
   */
  async switchTo(caller: Changer, triggerId: number): Promise<EditedTrigger> {
    const found = await this.find(caller.userId, triggerId);
    const { shadow } = found;
    if (shadow.endedMs !== null)
      throw new Conflict('the shadow has ended, and its states with it: change the trigger itself');
    const endedBefore = await this.endMost(found);
    const edited = await this.triggers.switchTo(caller, shadow);
    return { ...edited, ended: edited.ended + endedBefore };
  }

  /** Most episodes that are open live alone, in small transactions. */
  private async endMost({ trigger, shadow }: FoundShadow): Promise<number> {
    const { sequelize } = this.database;
    const switching = { trigger, rule: ruleOf(shadow) };
    const read = (edit: ModelEdit) => readSwitched(edit, switching, this.clock.now());
    const { ends } = await editRules(sequelize, read);
    let ended = 0;
    for (const cause of CAUSES)
      ended += await this.ends.endMost(sequelize, { of: { sensorTriggerIds: ends[cause] }, causes: [cause] });
    return ended;
  }

  /** Ends shadows whose time is over. Call it every few seconds. */
  async endDue(): Promise<void> {
    const nowMs = this.clock.now();
    await forgetInactive(runOn(this.database.pool), nowMs);
    const due = await TriggerShadow.findAll({
      where: { endedMs: null, untilMs: { [Op.lte]: nowMs } },
      limit: ENDED_AT_ONCE,
    });
    for (const { id, triggerId } of due) {
      await editRules(this.database.sequelize, async (edit) => {
        const { transaction } = edit;
        const shadow = await TriggerShadow.findOne({ where: { id, endedMs: null }, ...forUpdate(transaction) });
        if (!shadow) return;
        const untried = await countUntried(edit.run, triggerId);
        await endShadows(edit, triggerId);
        await shadow.update({ endedMs: shadow.untilMs, untried }, { transaction });
        await this.events.raise(transaction, { name: 'shadow_ended', subjectId: triggerId, userId: shadow.ownerId });
      });
    }
  }
}
