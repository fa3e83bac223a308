import { literal, Op, type Transaction } from 'sequelize';
import { mayForOthers } from '../../access/alert-access';
import { lockOwned } from '../../access/find-owned';
import { afterCommit, editRules, type ModelEdit } from '../../access/rule-edit';
import { refusalToEdit, type SensorAccess } from '../../access/sensor-access';
import { markSensorChange } from '../../access/sensor-changes';
import { LARGEST_PAGE, type Page, type PageOf } from '../../edge/paging';
import type { EventLog } from '../../events/event-log';
import { recheckMuted } from '../../notifications';
import type { Clock } from '../../platform/clock';
import { Conflict, NotFound } from '../../platform/errors';
import type { RetentionDays } from '../../platform/retention';
import { withoutUndefined } from '../../platform/without-undefined';
import type { Database } from '../../storage';
import { findPage } from '../../storage/find-page';
import { Firing } from '../../storage/models/firing.model';
import { SensorTrigger } from '../../storage/models/sensor-trigger.model';
import type { SensorTriggerPair } from '../../storage/models/sensor-trigger-pair';
import { Trigger } from '../../storage/models/trigger.model';
import { findFittingPage } from '../../storage/response-size';
import { forShare, runOn } from '../../storage/transaction';
import type { DeliveredEnds } from '../firings/delivered-ends';
import { type EpisodeFiring, withEpisodes } from '../firings/firing-episodes';
import type { SensorTriggerChange } from '../rules/trigger-state';
import { watchInactivity, watchWhatArrived } from '../trigger-store/inactivity-watch';
import { flushStates, showLatestPoints } from '../trigger-store/latest-points';
import { beginShadows, endShadowEpisodes } from '../trigger-store/shadow-states';
import { requireFewXOn } from './different-x';
import { findConnectionWarning } from './field-warnings';
import { pairsOf, withDetails } from './sensor-trigger-pairs';
import { connectTriggers, disconnectTriggers, MAX_TRIGGERS_OF_A_SENSOR } from './trigger-connections';
import { requireKeptBy } from './window-storage';

const PAIR = 'the trigger on this sensor';

/**
 * Triggers on sensors of one owner. Locks are in one order: sensor, trigger, sensor trigger; workers lock the sensor
 * trigger, uploads none.
 */
export class SensorTriggersService {
  constructor(
    private readonly database: Database,
    private readonly access: SensorAccess,
    private readonly events: EventLog,
    private readonly ends: DeliveredEnds,
    private readonly clock: Clock,
    private readonly retentionDays: RetentionDays,
  ) {}

  async listAll(userId: number, page: Page): Promise<PageOf<SensorTriggerPair>> {
    const own = literal(`(SELECT id FROM triggers WHERE owner_id = ${Number(userId)})`);
    const where = { triggerId: { [Op.in]: own } };
    const { items, total } = await findFittingPage(SensorTrigger, 'last_data_value', { where, sort: 'ASC' }, page);
    await showLatestPoints(this.database.pool, items);
    return { items: await pairsOf(this.database.pool, items), total };
  }

  async list(userId: number, sensorId: number, page: Page = LARGEST_PAGE): Promise<PageOf<SensorTriggerPair>> {
    await this.access.findOwn(userId, sensorId);
    const { items, total } = await findPage(SensorTrigger, { where: { sensorId }, order: ['triggerId'] }, page);
    await showLatestPoints(this.database.pool, items);
    return { items: await pairsOf(this.database.pool, items), total };
  }

  /**
   * Connects all or none, active from now on. A connected trigger stays when its selector no longer matches.
   * Throws Conflict for too many, too many different `x`, or a sensor that keeps less than a window.
   */
  async connect(userId: number, sensorId: number, triggerIds: readonly number[]): Promise<void> {
    const created = await editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      // One request at a time for a sensor: two would conflict at the unique index.
      const sensor = await this.access.lockOwn(userId, sensorId, transaction);
      const triggers = await lockOwned(
        Trigger,
        { ids: triggerIds, ownerId: userId },
        'the trigger',
        forShare(transaction),
      );
      const connected = await SensorTrigger.findAll({
        attributes: ['triggerId', 'bySelector'],
        where: { sensorId },
        transaction,
      });
      const connectedIds = new Set(connected.map(({ triggerId }) => triggerId));
      const wantedIds = triggers.map(({ id }) => id);
      const selected = connected.filter(({ bySelector }) => bySelector).map(({ triggerId }) => triggerId);
      const byHand = selected.filter((id) => wantedIds.includes(id));
      const addedIds = wantedIds.filter((id) => !connectedIds.has(id));
      const changedIds = [...byHand, ...addedIds];
      requireKeptBy(
        sensor,
        triggers.filter(({ id }) => changedIds.includes(id)),
        this.retentionDays,
      );
      await keepByHand(edit, sensorId, byHand);
      if (addedIds.length === 0) return [];
      if (connectedIds.size + addedIds.length > MAX_TRIGGERS_OF_A_SENSOR) throw tooMany();
      const addedTriggers = triggers.filter(({ id }) => addedIds.includes(id));
      await requireFewXOn(edit.run, sensorId, addedTriggers);
      const added = { sensorIds: [sensorId], triggerIds: addedIds, bySelector: false };
      return connectTriggers(edit, added, { ...this.occasion, userId });
    });
    await afterCommit(() => watchWhatArrived(this.database.sequelize, created, this.clock.now()));
  }

  /** Warns of the first of these triggers that cannot work, or that has a notification with a field no sensor has. */
  async warningFor(pairs: readonly SensorTriggerPair[], triggerIds: readonly number[]): Promise<string | undefined> {
    const pair = pairs.find(({ trigger }) => triggerIds.includes(trigger.id));
    return pair && findConnectionWarning(this.database.pool, pair.trigger, pair.sensorTrigger.sensorId);
  }

  /** With a transaction, both rows are locked. */
  async find(
    userId: number,
    sensorId: number,
    triggerId: number,
    transaction?: Transaction,
  ): Promise<SensorTriggerPair> {
    const pair = await this.findConnected(userId, sensorId, triggerId, transaction);
    if (!pair) throw new NotFound(PAIR);
    if (transaction) return pair;
    await showLatestPoints(this.database.pool, [pair.sensorTrigger]);
    const [shown = pair] = await withDetails(this.database.pool, [pair]);
    return shown;
  }

  /** For its owner, and for others who see both the sensor and the alerts of the trigger: decisions have values. */
  async findSeen(userId: number, sensorId: number, triggerId: number) {
    const { isOwner } = await this.access.find(userId, sensorId);
    const isSeen = isOwner || (await mayForOthers(runOn(this.database.pool), userId, triggerId, 'see'));
    const refusal = isSeen ? undefined : refusalToEdit({ isOwner, isShared: true });
    if (refusal) throw refusal;
    const sensorTrigger = await SensorTrigger.findOne({ where: { sensorId, triggerId } });
    if (!sensorTrigger) throw new NotFound(PAIR);
    return { sensorTrigger, isOwner };
  }

  /** Without its latest point; undefined if the trigger is not connected. */
  private async findConnected(
    userId: number,
    sensorId: number,
    triggerId: number,
    transaction?: Transaction,
  ): Promise<SensorTriggerPair | undefined> {
    await this.access.findOwn(userId, sensorId, transaction);
    const trigger = await Trigger.findByPk(triggerId, { transaction, lock: transaction?.LOCK.SHARE });
    const sensorTrigger = await SensorTrigger.findOne({
      where: { sensorId, triggerId },
      transaction,
      lock: transaction?.LOCK.UPDATE,
    });
    return sensorTrigger && trigger ? { sensorTrigger, trigger } : undefined;
  }

  /** Activation restarts the inactivity; deactivation ends episodes. */
  async change(
    userId: number,
    sensorId: number,
    triggerId: number,
    change: SensorTriggerChange,
  ): Promise<SensorTriggerPair> {
    const { pair, began } = await editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      await flushStates(edit, { sensorIds: [sensorId] });
      const { sensorTrigger, trigger } = await this.find(userId, sensorId, triggerId, transaction);
      const { active = sensorTrigger.active, timesTriggered: counts = [], ...rest } = change;
      const state = { ...rest, timesTriggered: counts.find((count) => count !== sensorTrigger.timesTriggered) };
      const wasActive = sensorTrigger.active;
      sensorTrigger.set({
        ...withoutUndefined(state),
        active,
        ...(active ? {} : { dueAtMs: null, inactiveSinceMs: null }),
      });
      await sensorTrigger.save({ transaction });
      if (change.mutedUntilMs !== undefined) await recheckMuted(edit.run, userId, this.clock.now());
      if (!active && wasActive) await this.endEpisodes(sensorTrigger, edit);
      if (active && !wasActive) {
        await watchInactivity(edit, [sensorTrigger], this.clock.now());
        await beginShadows(edit, { sensorTriggerIds: [sensorTrigger.id] }, this.clock.now());
      }
      return { pair: { sensorTrigger, trigger }, began: active && !wasActive };
    });
    await watchWhatArrived(this.database.sequelize, began ? [pair.sensorTrigger] : [], this.clock.now());
    const [shown = pair] = await withDetails(this.database.pool, [pair]);
    return shown;
  }

  async firings(
    userId: number,
    sensorId: number,
    triggerId: number,
    page: Page,
    sort: 'ASC' | 'DESC' = 'ASC',
  ): Promise<PageOf<EpisodeFiring>> {
    await this.find(userId, sensorId, triggerId);
    const where = { sensorId, triggerId, ownerId: userId };
    const { items, total } = await findFittingPage(Firing, 'variables', { where, sort }, page);
    const now = { reads: this.database.reads, nowMs: this.clock.now() };
    return { items: await withEpisodes(items, now), total };
  }

  /** Throws Conflict if the selector connects the trigger. */
  async disconnect(userId: number, sensorId: number, triggerId: number): Promise<void> {
    if (!(await this.disconnectIfConnected(userId, sensorId, triggerId))) {
      throw new NotFound(PAIR);
    }
  }

  /** False if the trigger is not connected. Throws Conflict if its selector connects it. */
  disconnectIfConnected(userId: number, sensorId: number, triggerId: number): Promise<boolean> {
    return editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      const pair = await this.findConnected(userId, sensorId, triggerId, transaction);
      if (!pair) return false;
      if (pair.sensorTrigger.bySelector && pair.trigger.selector !== null) throw ofSelector();
      await disconnectTriggers(edit, [pair.sensorTrigger], { ...this.occasion, userId });
      // Selectors follow: the sensor has room, or this trigger selects it.
      await markSensorChange(userId, transaction);
      return true;
    });
  }

  private get occasion() {
    return { events: this.events, ends: this.ends, nowMs: this.clock.now() };
  }

  private async endEpisodes(sensorTrigger: SensorTrigger, edit: ModelEdit): Promise<void> {
    await this.ends.end(edit, { sensorTriggerIds: [sensorTrigger.id] });
    await endShadowEpisodes(edit.run, [sensorTrigger.id], this.clock.now());
    await sensorTrigger.reload({ transaction: edit.transaction });
  }
}

/** A connection by hand no longer depends on the selector. */
async function keepByHand(edit: ModelEdit, sensorId: number, triggerIds: number[]): Promise<void> {
  if (triggerIds.length === 0) return;
  await edit.affects({ sensorIds: [sensorId] });
  const where = { sensorId, triggerId: triggerIds };
  await SensorTrigger.update({ bySelector: false }, { where, transaction: edit.transaction });
}

function ofSelector(): Conflict {
  return new Conflict(
    'the selector of the trigger matches this sensor: change one of them, or deactivate the trigger on this sensor',
  );
}

function tooMany(): Conflict {
  return new Conflict(`a sensor has at most ${MAX_TRIGGERS_OF_A_SENSOR} triggers: disconnect others first`);
}
