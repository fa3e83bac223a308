import { type Changer, findAuthor } from '../../access/author';
import { findOwned } from '../../access/find-owned';
import { lockOwnGroup } from '../../access/group-access';
import { editRules, type ModelEdit } from '../../access/rule-edit';
import { markSensorChange } from '../../access/sensor-changes';
import type { Page, PageOf } from '../../edge/paging';
import { DEFAULT_SEVERITY } from '../../edge/severity';
import type { EventLog } from '../../events/event-log';
import type { Clock } from '../../platform/clock';
import type { RetentionDays } from '../../platform/retention';
import { withoutUndefined } from '../../platform/without-undefined';
import type { Database } from '../../storage';
import { findPage } from '../../storage/find-page';
import { DeletedThing } from '../../storage/models/deleted-thing.model';
import { SensorTrigger } from '../../storage/models/sensor-trigger.model';
import { Trigger } from '../../storage/models/trigger.model';
import type { TriggerShadow } from '../../storage/models/trigger-shadow.model';
import { forUpdate, inTransaction, runOn } from '../../storage/transaction';
import type { DeliveredEnds } from '../firings/delivered-ends';
import { dependencyColumns, dependencyOf } from '../rules/dependency';
import { CAUSES } from '../rules/episode';
import { DEFAULT_LATE } from '../rules/late';
import { type EpisodesOnEdit, ruleChange } from '../rules/rule-change';
import { parseSelector, type Selector } from '../rules/selector';
import { ruleOf, type TriggerRule } from '../rules/trigger-rule';
import { changeStates } from '../trigger-store/changed-rule';
import { readSwitched, type Switched, takeOver } from '../trigger-store/shadow-switch';
import { type AboutTrigger, describeTrigger, readAbout } from './about-triggers';
import { contentOf, type TriggerInput, type TriggerSettings } from './content-input';
import { changedRule, readRule, requireText } from './rule-input';
import type { SelectorsService } from './selectors.service';
import { followParent, freeDependents, requireParent, requireSameParent } from './trigger-parents';
import { disconnectMost, forgetDecisions } from './trigger-removal';
import {
  countVersion,
  findVersion,
  findVersions,
  forgetOldVersions,
  recordVersion,
  type StoredVersion,
  type TriggerContent,
} from './trigger-versions';
import { requireUsableWindows } from './window-storage';

interface TriggerEdit {
  rule: (before: Required<TriggerRule>) => Required<TriggerRule>;
  settings: TriggerSettings;
  episodes: EpisodesOnEdit;
  /** The shadow whose states become those of the trigger. It ends. */
  shadow?: TriggerShadow;
}

/** Numbers of episodes that the edit kept open, and that it ended. */
export interface EditedTrigger {
  trigger: Trigger;
  kept: number;
  ended: number;
  /** Episodes of a shadow that fire now. */
  fires: number;
}

export class TriggersService {
  constructor(
    private readonly database: Database,
    private readonly events: EventLog,
    private readonly ends: DeliveredEnds,
    private readonly clock: Clock,
    private readonly selectors: SelectorsService,
    private readonly retentionDays: RetentionDays,
  ) {}

  async list(userId: number, page: Page): Promise<PageOf<AboutTrigger & { trigger: Trigger }>> {
    const { items, total } = await findPage(Trigger, { where: { ownerId: userId }, order: ['id'] }, page);
    const about = await readAbout(this.database.reads, userId, items);
    return { items: about.map((one, at) => ({ ...one, trigger: items[at] as Trigger })), total }; // one for each
  }

  find(userId: number, id: number): Promise<Trigger> {
    return findOwned(Trigger, { id, ownerId: userId }, 'the trigger');
  }

  describe(trigger: Trigger): Promise<AboutTrigger> {
    return describeTrigger(this.database.pool, trigger);
  }

  async create(caller: Changer, input: TriggerInput & { name: string }): Promise<Trigger> {
    const { userId } = caller;
    const selecting = { selectedSensors: null, ...(await this.selectors.read(userId, input.selector ?? null)) };
    const nowMs = this.clock.now();
    const { groupId = null } = input;
    const fields = { ...contentOf(input), groupId, ...selecting, ownerId: userId, createdMs: nowMs };
    await requireUsableWindows(fields, this.retentionDays);
    const author = await findAuthor(this.database.reads, caller);
    return inTransaction(this.database.sequelize, async (transaction) => {
      await lockOwnGroup(userId, groupId, transaction);
      await requireParent(transaction, { ownerId: userId, parentId: fields.parentId });
      const trigger = await Trigger.create(fields, { transaction });
      await recordVersion(trigger, [], { ...author, nowMs }, transaction);
      await this.events.raise(transaction, { name: 'add_trigger', subjectId: trigger.id, userId });
      if (trigger.selector !== null) await this.selectors.markChange(userId, transaction);
      return trigger;
    });
  }

  /**
   * An inactivity of 0 alone removes the inactivity, an expression of null with an inactivity the expression. The rule
   * applies to the next point and the current inactivity; episodes of changed parts end, or stay open.
   */
  update(caller: Changer, id: number, input: TriggerInput, episodes: EpisodesOnEdit = 'end'): Promise<EditedTrigger> {
    return this.edit(caller, id, { rule: (before) => changedRule(before, input), settings: input, episodes });
  }

  /** Throws NotFound for an unknown version, InvalidInput or Conflict for one that is no longer possible. */
  async restore(
    caller: Changer,
    id: number,
    version: number,
    episodes: EpisodesOnEdit = 'end',
  ): Promise<EditedTrigger> {
    await this.find(caller.userId, id);
    const { content } = await findVersion(id, version);
    await requireSameParent(caller.userId, content);
    return this.replace(caller, id, content, episodes);
  }

  /** Changes everything that decides or delivers. Throws as `update`. */
  replace(caller: Changer, id: number, content: TriggerContent, episodes: EpisodesOnEdit): Promise<EditedTrigger> {
    const selector = content.selector === null ? null : parseSelector(content.selector);
    const settings = { ...content, selector, dependsOn: dependencyOf(content) };
    return this.edit(caller, id, { rule: () => readRule(content), settings, episodes });
  }

  /** The rule and the states of the shadow become those of the trigger. Throws NotFound if the shadow has ended by now. */
  switchTo(caller: Changer, shadow: TriggerShadow): Promise<EditedTrigger> {
    return this.edit(caller, shadow.triggerId, { rule: () => ruleOf(shadow), settings: {}, episodes: 'keep', shadow });
  }

  /** Throws as `create` or, with an id, as `update`. Stores nothing. */
  async check(userId: number, content: TriggerContent, id?: number): Promise<void> {
    const of = id === undefined ? undefined : { id, run: runOn(this.database.pool) };
    await requireUsableWindows(content, this.retentionDays, of);
    if (content.selector !== null) await this.selectors.requireFew(userId, parseSelector(content.selector));
  }

  /** Newest first. */
  async versions(userId: number, id: number, page: Page): Promise<PageOf<StoredVersion>> {
    await this.find(userId, id);
    return findVersions(id, page);
  }

  private async edit(caller: Changer, id: number, how: TriggerEdit): Promise<EditedTrigger> {
    const { userId } = caller;
    const { rule, settings, episodes, shadow } = how;
    requireText(settings.resolvedText);
    const selecting = settings.selector === undefined ? {} : await this.changedSelector(userId, id, settings.selector);
    const endedBefore = await this.endMost(userId, id, { rule, episodes });
    const author = await findAuthor(this.database.reads, caller);
    return editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      await lockOwnGroup(userId, settings.groupId, transaction);
      await requireParent(transaction, { ownerId: userId, id, parentId: settings.dependsOn?.triggerId });
      const trigger = await findOwned(Trigger, { id, ownerId: userId }, 'the trigger', forUpdate(transaction));
      await edit.affects({ triggerId: id });
      const before = ruleOf(trigger);
      const after = rule(before);
      trigger.set({ ...after, ...given(settings), ...selecting });
      if (trigger.changed('expression') || trigger.changed('resolveExpression'))
        await requireUsableWindows(trigger, this.retentionDays, { id, run: edit.run });
      const isSelectorChanged = trigger.changed('selector');
      const nowMs = this.clock.now();
      const change = ruleChange(before, after, episodes);
      const switched = shadow && (await readSwitched(edit, { trigger, rule: after }, nowMs));
      const endedNow = await this.ends.end(edit, { triggerId: id }, { causes: change.ends });
      const ended = endedBefore + endedNow + (switched ? await this.endLiveOnly(edit, switched) : 0);
      const changed = countVersion(trigger);
      await trigger.save({ transaction });
      if (changed.length > 0) await recordVersion(trigger, changed, { ...author, nowMs }, transaction);
      await followParent(edit, id, changed, nowMs);
      const kept = await changeStates(edit, { id, before, after }, change, nowMs);
      if (switched) await takeOver(edit, id, switched);
      await this.events.raise(transaction, { name: 'update_trigger', subjectId: id, userId });
      if (isSelectorChanged) await this.selectors.markChange(userId, transaction);
      edit.afterCommit(() => forgetOldVersions(runOn(this.database.pool), trigger));
      return { trigger, kept, ended, fires: switched?.fires ?? 0 };
    });
  }

  private async endLiveOnly(edit: ModelEdit, { ends }: Switched): Promise<number> {
    let ended = 0;
    for (const cause of CAUSES)
      ended += await this.ends.end(edit, { sensorTriggerIds: ends[cause] }, { causes: [cause] });
    return ended;
  }

  /** Checks the change first. Returns the number of ended episodes. */
  private async endMost(
    userId: number,
    id: number,
    { rule, episodes }: Pick<TriggerEdit, 'rule' | 'episodes'>,
  ): Promise<number> {
    const trigger = await findOwned(Trigger, { id, ownerId: userId }, 'the trigger');
    const before = ruleOf(trigger);
    const after = rule(before);
    trigger.set(after);
    const { sequelize, pool } = this.database;
    if (trigger.changed('expression') || trigger.changed('resolveExpression'))
      await requireUsableWindows(trigger, this.retentionDays, { id, run: runOn(pool) });
    return this.ends.endMost(sequelize, { of: { triggerId: id }, causes: ruleChange(before, after, episodes).ends });
  }

  /** Episodes end with deliveries; the purge deletes firings and their deliveries. */
  async delete(caller: Changer, id: number): Promise<void> {
    const { userId } = caller;
    const { selector } = await findOwned(Trigger, { id, ownerId: userId }, 'the trigger');
    // Otherwise it would connect sensors again while they are disconnected.
    if (selector !== null) await this.update(caller, id, { selector: null });
    const nowMs = this.clock.now();
    await this.ends.endMost(this.database.sequelize, { of: { triggerId: id } });
    await disconnectMost(this.database.sequelize, this.ends, { id, ownerId: userId }, nowMs);
    const author = await findAuthor(this.database.reads, caller);
    await editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      const trigger = await findOwned(Trigger, { id, ownerId: userId }, 'the trigger', forUpdate(transaction));
      await edit.affects({ triggerId: id });
      await freeDependents(edit, trigger, { ...author, nowMs });
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
    return before.selector === (selector && JSON.stringify(selector)) ? {} : this.selectors.read(userId, selector);
  }
}

function given({ name, notifyResolved, resolvedText, severity, late, dependsOn, groupId }: TriggerSettings) {
  return withoutUndefined({
    ...(dependsOn !== undefined && dependencyColumns(dependsOn)),
    ...{ name, notifyResolved, resolvedText, groupId },
    severity: severity === null ? DEFAULT_SEVERITY : severity,
    late: late === null ? DEFAULT_LATE : late,
  });
}
