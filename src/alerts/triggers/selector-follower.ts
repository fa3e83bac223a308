import { editRules, type ModelEdit } from '../../access/rule-edit';
import { markSensorChange } from '../../access/sensor-changes';
import { lockSensors } from '../../access/sensor-lock';
import type { EventLog } from '../../events/event-log';
import { FairShareScheduler } from '../../fairness/fair-share-scheduler';
import type { CarefulWork } from '../../fairness/quarantine/careful-work';
import { MAX_DIFFERENT_X, windowsOf } from '../../language/windows/written-windows';
import type { Clock } from '../../platform/clock';
import type { Logger } from '../../platform/logger';
import { LruCache } from '../../platform/lru-cache';
import type { Database } from '../../storage';
import { SensorTrigger } from '../../storage/models/sensor-trigger.model';
import { Trigger } from '../../storage/models/trigger.model';
import { isOverTime, isPermanent } from '../../storage/mysql-errors';
import { forUpdate, runOn } from '../../storage/transaction';
import type { DeliveredEnds } from '../firings/delivered-ends';
import { firstToDisconnect } from '../firings/end-most';
import { watchWhatArrived } from '../trigger-store/inactivity-watch';
import { recordOutcome, type SelectorOutcome } from '../trigger-store/selector-outcome';
import { countConnected, findMissing, findUnwanted, selectAmong, withRoom } from './selected-sensors';
import { endRound, idsAhead, openRounds, type Round, saveRound, TOO_SLOW } from './selector-rounds';
import { MAX_SELECTED } from './selectors.service';
import { connectTriggers, disconnectTriggers, MAX_TRIGGERS_OF_A_SENSOR } from './trigger-connections';

/** More locked sensors would delay passes. */
const SENSORS_PER_STEP = 200;
const OWNERS_PER_RUN = 1_000;
/** Time of a run for one user, and for all. The next run continues. */
const OWNER_MS = 1_000;
const RUN_MS = 4_000;
/** A selector whose search took too long waits this long. */
const SLOW_PAUSE_MS = 300_000;
const SLOW_SELECTORS = 10_000;

interface Step {
  /** Set if their trigger watches inactivity. */
  watched: SensorTrigger[];
  hasChanged: boolean;
  /** The selector has connected as many sensors as it may. */
  isFull: boolean;
  /** Unwanted sensors are left: their episodes have too many deliveries for one transaction. */
  hasMore: boolean;
}

/**
 * Lets triggers follow their selectors. A change of sensors or selectors sets the user's version in its own
 * transaction. A round compares all selectors of a user, perhaps over several runs, and clears the version only if it
 * is unchanged, so after a round that found nothing to change. So no change is missed, even if a worker connects late
 * what it has read early. Users whose selectors took the least time come first.
 */
export class SelectorFollower {
  private readonly shares: FairShareScheduler;
  /** Selectors whose search took too long. An edited one does not wait. */
  private readonly slow = new LruCache<number, { selector: string | null; untilMs: number }>(SLOW_SELECTORS);

  constructor(
    private readonly database: Database,
    private readonly effects: { events: EventLog; ends: DeliveredEnds; careful?: CarefulWork | undefined },
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    this.shares = new FairShareScheduler(() => clock.now());
  }

  /** Runs for a limited time. */
  async run(): Promise<void> {
    const untilMs = this.clock.now() + RUN_MS;
    const rounds = this.shares.leastUsedFirst(await openRounds(OWNERS_PER_RUN));
    for (const round of rounds) {
      const rest = await this.follow(round);
      if (rest) rounds.push(rest);
      if (this.clock.now() >= untilMs) return;
    }
  }

  private async follow(round: Round): Promise<Round | undefined> {
    const startedMs = this.clock.now();
    try {
      const { afterId, isOver } = await this.followUntil(round, startedMs + OWNER_MS);
      const rest = { ...round, afterId };
      if (isOver) await endRound(rest);
      else await saveRound(rest);
      return isOver ? undefined : rest;
    } finally {
      this.shares.chargeTime(round.ownerId, this.clock.now() - startedMs);
    }
  }

  /** Follows at least one selector. Returns the last trigger that is done. */
  private async followUntil(round: Round, untilMs: number): Promise<{ afterId: number; isOver: boolean }> {
    const ids = await idsAhead(round);
    let { afterId } = round;
    for (const id of ids) {
      if (afterId > round.afterId && this.clock.now() >= untilMs) return { afterId, isOver: false };
      const trigger = await Trigger.findOne({ where: { id, ownerId: round.ownerId } });
      if (trigger && !(await this.followCarefully(trigger, untilMs))) return { afterId, isOver: false };
      afterId = id;
    }
    return { afterId, isOver: true };
  }

  /** Runs in the lone process, which ends work that takes too long. */
  async followOne(triggerId: number): Promise<void> {
    const trigger = await Trigger.findByPk(triggerId);
    while (trigger && !(await this.followSelector(trigger, this.clock.now() + OWNER_MS)));
  }

  /** Leaves a search that ends its process to the lone process. Returns false if the time is up. */
  private async followCarefully(trigger: Trigger, untilMs: number): Promise<boolean> {
    const { careful } = this.effects;
    const work = () => this.followSelector(trigger, untilMs);
    if (!careful) return work();
    const outcome = await careful.run({ kind: 'selector', id: trigger.id }, work, (reason) =>
      recordOutcome(runOn(this.database.pool), trigger.id, { sensors: trigger.selectedSensors ?? 0, error: reason }),
    );
    return outcome ?? true;
  }

  /** Returns false if the time is up; never if nothing changes. */
  private async followSelector(trigger: Trigger, untilMs: number): Promise<boolean> {
    if (this.mustWait(trigger)) return true;
    try {
      return await this.connectSelected(trigger, untilMs);
    } catch (error) {
      if (!isPermanent(error)) throw error;
      await this.recordFailure(trigger, error);
      return true;
    }
  }

  private async connectSelected(trigger: Trigger, untilMs: number): Promise<boolean> {
    if (!(await this.connectAll(trigger, findUnwanted, untilMs))) return false;
    let counts = await countConnected(this.database.selections, trigger);
    if (counts.selected > counts.connected) {
      if (!(await this.connectAll(trigger, findMissing, untilMs))) return false;
      counts = await countConnected(this.database.selections, trigger);
    }
    const outcome = trigger.selector === null ? { sensors: null, error: null } : outcomeOf(trigger, counts);
    if (outcome.sensors === trigger.selectedSensors && outcome.error === trigger.selectorError) return true;
    await recordOutcome(runOn(this.database.pool), trigger.id, outcome);
    return true;
  }

  /** Other selectors must not wait. This one is tried again after a change; a slow one also after a pause. */
  private async recordFailure({ id, selector, selectedSensors }: Trigger, error: unknown): Promise<void> {
    const isSlow = isOverTime(error);
    if (isSlow) this.slow.set(id, { selector, untilMs: this.clock.now() + SLOW_PAUSE_MS });
    else this.logger.error({ triggerId: id, err: error }, 'a selector could not be followed');
    const why = isSlow ? TOO_SLOW : 'the sensors could not be connected';
    await recordOutcome(runOn(this.database.pool), id, { sensors: selectedSensors ?? 0, error: why });
  }

  private mustWait({ id, selector }: Trigger): boolean {
    const slow = this.slow.find(id);
    return slow !== undefined && slow.selector === selector && this.clock.now() < slow.untilMs;
  }

  /** Works part by part. Returns false if the time is up. */
  private async connectAll(trigger: Trigger, find: typeof findMissing, untilMs: number): Promise<boolean> {
    for (let afterId = 0; ; ) {
      const sensorIds = await find(this.database.selections, trigger, { afterId, limit: SENSORS_PER_STEP });
      if (sensorIds.length === 0) return true;
      const { watched, hasChanged, isFull, hasMore } = await editRules(this.database.sequelize, (edit) =>
        this.step(trigger, sensorIds, edit),
      );
      await watchWhatArrived(this.database.sequelize, watched, this.clock.now());
      if (!hasMore && (isFull || sensorIds.length < SENSORS_PER_STEP)) return true;
      if (hasChanged && this.clock.now() >= untilMs) return false;
      if (!hasMore) afterId = sensorIds.at(-1) ?? afterId;
    }
  }

  /**
   * While a sensor is locked, its metatags and properties do not change; while the trigger is locked, its selector does
   * not, and no other worker connects it.
   */
  private async step({ id, ownerId }: Trigger, sensorIds: readonly number[], edit: ModelEdit): Promise<Step> {
    const { transaction, run } = edit;
    const sensors = await lockSensors(sensorIds, transaction);
    const trigger = await Trigger.findOne({ where: { id, ownerId }, ...forUpdate(transaction) });
    if (!trigger || sensors.length === 0) return { watched: [], hasChanged: false, isFull: false, hasMore: false };
    const lockedIds = sensors.map((sensor) => sensor.id);
    const selected = await selectAmong(run, trigger, lockedIds);
    const where = { triggerId: id, sensorId: lockedIds };
    const connected = await SensorTrigger.findAll({ where, order: ['id'], ...forUpdate(transaction) });
    const occasion = { ...this.effects, userId: ownerId, nowMs: this.clock.now() };
    const unwanted = connected.filter(({ bySelector, sensorId }) => bySelector && !selected.has(sensorId));
    const isInStep = await firstToDisconnect(
      run,
      unwanted.map((sensorTrigger) => sensorTrigger.id),
    );
    const leaving = unwanted.filter((sensorTrigger) => isInStep.has(sensorTrigger.id));
    if (leaving.length > 0) await disconnectTriggers(edit, leaving, occasion);
    for (const { sensorId } of connected) selected.delete(sensorId);
    const room =
      MAX_SELECTED - (await SensorTrigger.count({ where: { triggerId: id, bySelector: true }, transaction }));
    const missing = (await withRoom(run, trigger, [...selected])).slice(0, Math.max(0, room));
    const added = { sensorIds: missing, triggerIds: [id], bySelector: true };
    const created = missing.length > 0 ? await connectTriggers(edit, added, occasion) : [];
    const hasChanged = leaving.length + created.length > 0;
    if (hasChanged) await markSensorChange(ownerId, transaction);
    const watched = trigger.inactivity === null ? [] : created;
    return { watched, hasChanged, isFull: room <= missing.length, hasMore: leaving.length < unwanted.length };
  }
}

function outcomeOf(
  trigger: Trigger,
  { selected, connected }: { selected: number; connected: number },
): SelectorOutcome {
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
