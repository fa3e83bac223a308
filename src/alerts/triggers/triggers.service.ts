import { type Attributes, Op, type Transaction } from 'sequelize';
import { findOwned } from '../../access/find-owned';
import { editRules } from '../../access/rule-edit';
import { markSensorChange } from '../../access/sensor-changes';
import type { Page, PageOf } from '../../edge/paging';
import { DEFAULT_SEVERITY } from '../../edge/severity';
import type { EventLog } from '../../events/event-log';
import { textProblem } from '../../language/notification-text';
import { passesBy } from '../../language/passing-condition';
import type { Clock } from '../../platform/clock';
import { InvalidInput } from '../../platform/errors';
import type { RetentionDays } from '../../platform/retention';
import { withoutUndefined } from '../../platform/without-undefined';
import type { Database } from '../../storage';
import { findPage } from '../../storage/find-page';
import { DeletedThing } from '../../storage/models/deleted-thing.model';
import { SensorTrigger } from '../../storage/models/sensor-trigger.model';
import { Trigger } from '../../storage/models/trigger.model';
import { forUpdate, inTransaction, runOn } from '../../storage/transaction';
import type { DeliveredEnds } from '../firings/delivered-ends';
import type { EpisodeCause } from '../rules/episode';
import { DEFAULT_LATE } from '../rules/late';
import type { Selector } from '../rules/selector';
import { ruleProblem, type TriggerRule } from '../rules/trigger-rule';
import { changeInactivity, changeKeepFiringFor, followRepeat } from '../trigger-store/inactivity-watch';
import { findConnectionWarning } from './field-warnings';
import type { SelectorsService } from './selectors.service';
import { disconnectMost, forgetDecisions } from './trigger-removal';
import { requireUsableWindows } from './window-storage';

/**
 * Null is the default. Undefined means not given, as do an inactivity of 0 with an expression and an expression of null
 * without an inactivity.
 */
export type TriggerInput = RuleInput &
  Partial<Pick<Attributes<Trigger>, 'name' | 'notifyResolved' | 'resolvedText'>> & {
    severity?: string | null;
    late?: string | null;
    selector?: Selector | null;
  };

type RuleInput = { [Field in keyof TriggerRule]?: TriggerRule[Field] | null };

export class TriggersService {
  constructor(
    private readonly database: Database,
    private readonly events: EventLog,
    private readonly ends: DeliveredEnds,
    private readonly clock: Clock,
    private readonly selectors: SelectorsService,
    private readonly retentionDays: RetentionDays,
  ) {}

  list(userId: number, page: Page): Promise<PageOf<Trigger>> {
    return findPage(Trigger, { where: { ownerId: userId }, order: ['id'] }, page);
  }

  find(userId: number, id: number): Promise<Trigger> {
    return findOwned(Trigger, { id, ownerId: userId }, 'the trigger');
  }

  /** Warns of a trigger that cannot work on its sensors, or of ends that come too early. */
  async warningFor(trigger: Trigger): Promise<string | undefined> {
    return (await findConnectionWarning(this.database.pool, trigger)) ?? endWarning(trigger);
  }

  async create(userId: number, input: TriggerInput & { name: string }): Promise<Trigger> {
    const { name, notifyResolved = false, resolvedText = null, severity, late } = input;
    requireText(resolvedText);
    const alert = { notifyResolved, resolvedText, severity: severity ?? DEFAULT_SEVERITY, late: late ?? DEFAULT_LATE };
    const selecting = { selectedSensors: null, ...(await this.readSelector(userId, input.selector ?? null)) };
    const fields = { name, ...readRule(input), ...alert, ...selecting, ownerId: userId, createdMs: this.clock.now() };
    await requireUsableWindows(fields, this.retentionDays);
    return inTransaction(this.database.sequelize, async (transaction) => {
      const trigger = await Trigger.create(fields, { transaction });
      await this.events.raise(transaction, { name: 'add_trigger', subjectId: trigger.id, userId });
      if (trigger.selector !== null) await this.selectors.markChange(userId, transaction);
      return trigger;
    });
  }

  /**
   * An inactivity of 0 alone removes the inactivity, an expression of null with an inactivity the expression. The rule
   * applies to the next point and the current inactivity; episodes of changed parts end.
   */
  async update(userId: number, id: number, input: TriggerInput): Promise<Trigger> {
    requireText(input.resolvedText);
    const selecting = input.selector === undefined ? {} : await this.changedSelector(userId, id, input.selector);
    await this.endMost(userId, id, input);
    return editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      const trigger = await findOwned(Trigger, { id, ownerId: userId }, 'the trigger', forUpdate(transaction));
      await edit.affects({ triggerId: id });
      const { inactivity: before, keepFiringFor: keptFor } = trigger;
      const { name, notifyResolved, resolvedText } = input;
      const severity = input.severity === null ? DEFAULT_SEVERITY : input.severity;
      const late = input.late === null ? DEFAULT_LATE : input.late;
      const others = withoutUndefined({ name, notifyResolved, resolvedText, severity, late });
      trigger.set({ ...changedRule(trigger, input), ...others, ...selecting });
      if (trigger.changed('expression') || trigger.changed('resolveExpression'))
        await requireUsableWindows(trigger, this.retentionDays, { id, run: edit.run });
      const isSelectorChanged = trigger.changed('selector');
      const nowMs = this.clock.now();
      await this.ends.end(edit, { triggerId: id }, { causes: causesOf(trigger) });
      await trigger.save({ transaction });
      if (trigger.inactivity === null) await endWatches(id, transaction);
      else if (trigger.inactivity !== before)
        await changeInactivity(edit, { id, before, after: trigger.inactivity }, nowMs);
      else await followRepeat(edit, trigger);
      const { keepFiringFor } = trigger;
      if (keepFiringFor !== keptFor) await changeKeepFiringFor(edit, { id, before: keptFor, after: keepFiringFor });
      await this.events.raise(transaction, { name: 'update_trigger', subjectId: id, userId });
      if (isSelectorChanged) await this.selectors.markChange(userId, transaction);
      return trigger;
    });
  }

  /** Checks the change first. */
  private async endMost(userId: number, id: number, input: TriggerInput): Promise<void> {
    const trigger = await findOwned(Trigger, { id, ownerId: userId }, 'the trigger');
    trigger.set(changedRule(trigger, input));
    const { sequelize, pool } = this.database;
    if (trigger.changed('expression') || trigger.changed('resolveExpression'))
      await requireUsableWindows(trigger, this.retentionDays, { id, run: runOn(pool) });
    await this.ends.endMost(sequelize, { of: { triggerId: id }, causes: causesOf(trigger) });
  }

  /** Episodes end with deliveries; the purge deletes firings and their deliveries. */
  async delete(userId: number, id: number): Promise<void> {
    const { selector } = await findOwned(Trigger, { id, ownerId: userId }, 'the trigger');
    // Otherwise it would connect sensors again while they are disconnected.
    if (selector !== null) await this.update(userId, id, { selector: null });
    const nowMs = this.clock.now();
    await this.ends.endMost(this.database.sequelize, { of: { triggerId: id } });
    await disconnectMost(this.database.sequelize, this.ends, { id, ownerId: userId }, nowMs);
    await editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      const trigger = await findOwned(Trigger, { id, ownerId: userId }, 'the trigger', forUpdate(transaction));
      await edit.affects({ triggerId: id });
      await this.ends.end(edit, { triggerId: id });
      await this.events.raise(transaction, { name: 'delete_trigger', subjectId: id, userId });
      await DeletedThing.create({ kind: 'trigger', thingId: id, ownerId: userId, createdMs: nowMs }, { transaction });
      const connections = await SensorTrigger.findAll({ where: { triggerId: id }, transaction });
      const sensorIds = connections.map(({ sensorId }) => sensorId);
      await forgetDecisions(userId, sensorIds, nowMs, transaction);
      await trigger.destroy({ transaction });
      // The sensors have room for triggers that select them.
      await markSensorChange(userId, transaction);
    });
  }

  /** None if a whole record is sent back, whatever its selector matches by now. */
  private async changedSelector(userId: number, id: number, selector: Selector | null) {
    const before = await findOwned(Trigger, { id, ownerId: userId }, 'the trigger');
    return before.selector === (selector && JSON.stringify(selector)) ? {} : this.readSelector(userId, selector);
  }

  /** Throws Conflict for too many sensors. Without a selector, their number stays until they are disconnected. */
  private async readSelector(userId: number, selector: Selector | null) {
    if (selector === null) return { selector: null, selectorError: null };
    const selectedSensors = await this.selectors.requireFew(userId, selector);
    return { selector: JSON.stringify(selector), selectedSensors, selectorError: null };
  }
}

function endWarning({ expression, resolveExpression, notifyResolved }: Trigger): string | undefined {
  const endsByItself = notifyResolved && resolveExpression === null;
  const variable = endsByItself && expression !== null ? passesBy(expression) : undefined;
  if (variable === undefined) return undefined;
  return `the expression reads ${variable}, so it may become false and be reported as resolved while the state lasts; leave it out, and limit how often it fires by "repeat"`;
}

function causesOf(trigger: Trigger): EpisodeCause[] {
  const expression = trigger.changed('expression') || trigger.changed('hold');
  return [
    ...(expression ? (['expression'] as const) : []),
    ...(trigger.changed('inactivity') ? (['inactivity'] as const) : []),
  ];
}

async function endWatches(triggerId: number, transaction: Transaction): Promise<void> {
  const where = { triggerId, inactiveSinceMs: { [Op.ne]: null } };
  await SensorTrigger.update({ dueAtMs: null, inactiveSinceMs: null }, { where, transaction });
}

/** Throws InvalidInput. */
export function readRule(input: RuleInput): Required<TriggerRule> {
  const { expression = null, inactivity, hold, repeat = null, resolveExpression = null, keepFiringFor } = input;
  const rule = { expression, inactivity: inactivity || null, hold: hold ?? 0, repeat };
  const timezone = input.timezone ?? 'UTC';
  return accepted({ ...rule, resolveExpression, keepFiringFor: keepFiringFor ?? 0, timezone });
}

function changedRule(before: Required<TriggerRule>, input: RuleInput): Required<TriggerRule> {
  const { expression, inactivity, hold, repeat, resolveExpression, keepFiringFor, timezone } = input;
  const givenExpression = expression ?? undefined;
  const hasNoInactivity = inactivity === 0 && givenExpression === undefined;
  const hasNoExpression = expression === null && !!inactivity;
  if (hasNoInactivity && before.expression === null) {
    throw InvalidInput.field('trigger.inactivity', 'cannot be taken away by 0, as the trigger has no expression');
  }
  return accepted({
    expression: hasNoExpression ? null : (givenExpression ?? before.expression),
    inactivity: hasNoInactivity ? null : inactivity || before.inactivity,
    hold: hold ?? before.hold,
    repeat: changed(repeat, before.repeat),
    resolveExpression: changed(resolveExpression, before.resolveExpression),
    keepFiringFor: changed(keepFiringFor, before.keepFiringFor) ?? 0,
    timezone: changed(timezone, before.timezone) ?? 'UTC',
  });
}

/** `given` may be null. */
function changed<T>(given: T | undefined, before: T): T {
  return given === undefined ? before : given;
}

function accepted(rule: Required<TriggerRule>): Required<TriggerRule> {
  const problem = ruleProblem(rule);
  if (problem) throw InvalidInput.field(`trigger.${problem.field}`, problem.why);
  return rule;
}

function requireText(text: string | null | undefined): void {
  const problem = textProblem(text ?? '');
  if (problem) throw InvalidInput.field('trigger.resolved_text', problem);
}
