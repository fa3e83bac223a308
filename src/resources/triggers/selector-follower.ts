import { Op } from 'sequelize';
import { noteSensorChange } from '../../access/sensor-changes';
import { lockSensors } from '../../access/sensor-lock';
import type { EventLog } from '../../events/event-log';
import type { Clock } from '../../platform/clock';
import type { Logger } from '../../platform/logger';
import { MAX_DIFFERENT_X, windowsOf } from '../../rules/windows/written-windows';
import type { Database } from '../../storage';
import { SelectorOwner } from '../../storage/models/selector-owner.model';
import { SensorTrigger } from '../../storage/models/sensor-trigger.model';
import { Trigger } from '../../storage/models/trigger.model';
import { isOverTime, isPermanent } from '../../storage/mysql-errors';
import { forUpdate, runOn } from '../../storage/transaction';
import { watchWhatArrived } from '../../trigger-store/inactivity-watch';
import { editRules, type ModelEdit } from '../../trigger-store/rule-edit';
import { recordOutcome } from '../../trigger-store/selector-outcome';
import type { DeliveredEnds } from '../firings/delivered-ends';
import { countConnected, findMissing, findUnwanted, selectAmong, withRoom } from './selected-sensors';
import { MAX_SELECTED } from './selectors.service';
import { connectTriggers, disconnectTriggers, MAX_TRIGGERS_OF_A_SENSOR } from './trigger-connections';

/** Number of sensors of one transaction. One that locks more would delay passes. */
const SENSORS_PER_STEP = 200;
/** Maximum number of users per run. */
const OWNERS_PER_RUN = 100;
/** How long a run works for one user, and for all. The next run continues. */
const OWNER_MS = 2_000;
const RUN_MS = 10_000;

/** What a step has done. */
interface Step {
  /** The connected sensor triggers, if their trigger has an inactivity to watch. */
  watched: SensorTrigger[];
  hasChanged: boolean;
  /** True if the selector has connected as many sensors as it may. */
  isFull: boolean;
}

/**
 * Lets triggers follow their selectors. A change of a user's sensors or selectors sets the version of the user in its
 * own transaction. A run compares the selectors of users with a version with their connections. It clears the version if
 * it is still the same afterwards, so only after a run that found nothing to change. So no change is missed, not even by
 * a worker that connects late what it has read early.
 */
export class SelectorFollower {
  constructor(
    private readonly database: Database,
    private readonly effects: { events: EventLog; ends: DeliveredEnds },
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Connects and disconnects what has changed, for a limited time. */
  async run(): Promise<void> {
    const untilMs = this.clock.now() + RUN_MS;
    const where = { watched: true, version: { [Op.ne]: null } };
    // Versions are random, so no user is always the last.
    const owners = await SelectorOwner.findAll({ where, order: ['version'], limit: OWNERS_PER_RUN });
    for (const owner of owners) {
      if (this.clock.now() >= untilMs) return;
      await this.followOwner(owner);
    }
  }

  private async followOwner({ ownerId, version }: SelectorOwner): Promise<void> {
    const untilMs = this.clock.now() + OWNER_MS;
    const hasOrHadSelector = { [Op.or]: [{ selector: { [Op.ne]: null } }, { selectedSensors: { [Op.ne]: null } }] };
    const triggers = await Trigger.findAll({ where: { ownerId, ...hasOrHadSelector }, order: ['id'] });
    for (const trigger of triggers) {
      if (!(await this.followSelector(trigger, untilMs))) return;
    }
    const watched = triggers.some(({ selector }) => selector !== null);
    await SelectorOwner.update({ version: null, watched }, { where: { ownerId, version } });
  }

  /** Returns false if the time is up. A call that finds nothing to change never runs out of time. */
  private async followSelector(trigger: Trigger, untilMs: number): Promise<boolean> {
    try {
      for (const find of [findUnwanted, findMissing]) {
        if (!(await this.connectAll(trigger, find, untilMs))) return false;
      }
      await this.recordOutcome(trigger);
    } catch (error) {
      if (!isPermanent(error)) throw error;
      // The next change tries again. Other selectors must not wait for this one.
      const isSlow = isOverTime(error);
      if (!isSlow) this.logger.error({ triggerId: trigger.id, err: error }, 'a selector could not be followed');
      const why = isSlow ? 'it takes too long to find the sensors' : 'the sensors could not be connected';
      await recordOutcome(runOn(this.database.pool), trigger.id, { sensors: trigger.selectedSensors ?? 0, error: why });
    }
    return true;
  }

  /** Connects or disconnects all sensors that `find` finds, part by part. Returns false if the time is up. */
  private async connectAll(trigger: Trigger, find: typeof findMissing, untilMs: number): Promise<boolean> {
    for (let afterId = 0; ; ) {
      const sensorIds = await find(this.database.reads, trigger, { afterId, limit: SENSORS_PER_STEP });
      if (sensorIds.length === 0) return true;
      const { watched, hasChanged, isFull } = await editRules(this.database.sequelize, (edit) =>
        this.step(trigger, sensorIds, edit),
      );
      await watchWhatArrived(this.database.sequelize, watched, this.clock.now());
      if (isFull || sensorIds.length < SENSORS_PER_STEP) return true;
      if (hasChanged && this.clock.now() >= untilMs) return false;
      afterId = sensorIds.at(-1) ?? afterId;
    }
  }

  /**
   * Connects and disconnects sensors as the selector says now. While a sensor is locked, neither its metatags nor its
   * properties change; while the trigger is locked, its selector does not, and no other worker connects it.
   */
  private async step({ id, ownerId }: Trigger, sensorIds: readonly number[], edit: ModelEdit): Promise<Step> {
    const { transaction, run } = edit;
    const sensors = await lockSensors(sensorIds, transaction);
    const trigger = await Trigger.findOne({ where: { id, ownerId }, ...forUpdate(transaction) });
    if (!trigger || sensors.length === 0) return { watched: [], hasChanged: false, isFull: false };
    const lockedIds = sensors.map((sensor) => sensor.id);
    const selected = await selectAmong(run, trigger, lockedIds);
    const where = { triggerId: id, sensorId: lockedIds };
    const connected = await SensorTrigger.findAll({ where, order: ['id'], ...forUpdate(transaction) });
    const occasion = { ...this.effects, userId: ownerId, nowMs: this.clock.now() };
    const unwanted = connected.filter(({ bySelector, sensorId }) => bySelector && !selected.has(sensorId));
    if (unwanted.length > 0) await disconnectTriggers(edit, unwanted, occasion);
    for (const { sensorId } of connected) selected.delete(sensorId);
    const room =
      MAX_SELECTED - (await SensorTrigger.count({ where: { triggerId: id, bySelector: true }, transaction }));
    const missing = (await withRoom(run, trigger, [...selected])).slice(0, Math.max(0, room));
    const added = { sensorIds: missing, triggerIds: [id], bySelector: true };
    const created = missing.length > 0 ? await connectTriggers(edit, added, occasion) : [];
    const hasChanged = unwanted.length + created.length > 0;
    if (hasChanged) await noteSensorChange(ownerId, transaction);
    return { watched: trigger.inactivity === null ? [] : created, hasChanged, isFull: room <= missing.length };
  }

  private async recordOutcome(trigger: Trigger): Promise<void> {
    const outcome = await this.outcomeOf(trigger);
    if (outcome.sensors === trigger.selectedSensors && outcome.error === trigger.selectorError) return;
    await recordOutcome(runOn(this.database.pool), trigger.id, outcome);
  }

  private async outcomeOf(trigger: Trigger): Promise<{ sensors: number | null; error: string | null }> {
    if (trigger.selector === null) return { sensors: null, error: null };
    const { selected, connected } = await countConnected(this.database.reads, trigger);
    const missing = selected - connected;
    if (missing <= 0) return { sensors: selected, error: null };
    const inWindows =
      windowsOf(trigger).length === 0 ? '' : `, and ${MAX_DIFFERENT_X} different "x" in their window functions`;
    const why =
      selected > MAX_SELECTED
        ? `a selector connects at most ${MAX_SELECTED} sensors`
        : `a sensor has at most ${MAX_TRIGGERS_OF_A_SENSOR} triggers${inWindows}`;
    return { sensors: selected, error: `${missing} of the ${selected} selected sensors are not connected: ${why}` };
  }
}
