import { isMuted, type Mute } from '../../../edge/mute';
import { visitedItems } from '../../../language/evaluation-cost';
import type { FiringVariables } from '../../../notifications';
import { type DataPoint, inOrderOfDates, type ReceivedDataPoint } from '../../../points';
import { decideOnConditionDue, isDueBefore } from '../../rules/condition';
import { type Episode, type EpisodeCause } from '../../rules/episode';
import { decideOnPoint, type PointContext } from '../../rules/firing';
import { decideOnInactivityDue, onArrival } from '../../rules/inactivity';
import { factsOf } from '../../rules/rule-zones';
import type {
  ActorSensor,
  Decided,
  EpisodeEnd,
  LateArrivals,
  SensorChanges,
  SensorFiring,
  SensorState,
  SensorTriggerEntry,
  StateChange,
} from '../../rules/sensor-state';
import { isSameState, type TriggerState } from '../../rules/trigger-state';
import { withCounted, withLate, withNext } from './collected';
import { firingOf } from './firing-of';
import type { SensorMessage, SensorMessageContext } from './sensor.messages';

/** Only the latest decisions of a trigger are reported: this bounds memory. */
const MAX_DECISIONS_PER_TRIGGER = 100;
/** An evaluation that visits more items is a step. */
const MANY_VISITS = 1_000;
const RESOLVED = { fire: false, reason: 'resolved' } as const;
/** Shared: most sensors have none of these, and a pass keeps thousands of results until its commit. */
const NONE: ReadonlyMap<Decided['decision']['reason'], number> = new Map();
const NOTHING: readonly never[] = [];

interface Acting {
  readonly trigger: SensorTriggerEntry;
  readonly facts: ReturnType<typeof factsOf>;
  state: TriggerState;
  decisions: Decided[] | undefined;
}

/** Holds the triggers of one sensor for a pass. It handles messages, then reports the changes. No I/O, no clock. */
export class SensorActor {
  readonly sensor: ActorSensor;
  private readonly acting: readonly Acting[];
  private readonly mutes: readonly Mute[];
  private firings: SensorFiring[] | undefined;
  private ends: EpisodeEnd[] | undefined;
  private late: Map<number, LateArrivals> | undefined;
  private unreported: Map<Decided['decision']['reason'], number> | undefined;

  constructor({ sensor, triggers, mutes }: SensorState) {
    this.sensor = sensor;
    this.mutes = mutes;
    this.acting = triggers.map((trigger) => {
      return { trigger, facts: factsOf(trigger, sensor), state: trigger.state, decisions: undefined };
    });
  }

  /** Send messages in the order in which they take effect. */
  handle(message: SensorMessage, context: SensorMessageContext): void {
    switch (message.kind) {
      case 'arrivals':
        this.onArrivals(message.of, context);
        break;
      case 'points':
        for (const steps = this.handlePoints(message.points, context); !steps.next().done; );
        break;
      case 'due':
        this.onDue(context);
        break;
      default:
        throw new Error(`unknown message ${JSON.stringify(message satisfies never)}`);
    }
  }

  /** Handles points in steps of some ms. Call `next` until it is done. */
  *handlePoints(points: readonly ReceivedDataPoint[], context: SensorMessageContext): Generator<void, void> {
    this.onArrivals(points, context);
    const byDate = inOrderOfDates(points);
    for (const acting of this.acting) {
      const { nowMs, windows, unevaluated } = context;
      const isMuted = () => this.isMuted(acting, context);
      const { dataType, labels, zones } = this.sensor;
      const pointContext = { nowMs, dataType, labels, zones, isMuted, windows, unevaluated };
      for (const point of byDate) {
        this.protect(acting, context, point, () => this.evaluate(acting, point, pointContext));
        if (windows || visitedItems() > MANY_VISITS) yield;
      }
      yield;
    }
  }

  changes(): SensorChanges {
    let states: StateChange[] | undefined;
    for (const { trigger, state } of this.acting) {
      const { sensorTriggerId, triggerId, state: before } = trigger;
      if (isSameState(before, state)) continue;
      states = withNext(states, { sensorTriggerId, sensorId: this.sensor.id, triggerId, before, state });
    }
    const [first, second] = this.acting;
    const decisions = first && !second ? first.decisions : this.acting.flatMap((acting) => acting.decisions ?? []);
    const { firings = NOTHING, ends = NOTHING, unreported = NONE } = this;
    const late = this.late ? [...this.late.values()] : NOTHING;
    return { states: states ?? NOTHING, firings, ends, late, decisions: decisions ?? NOTHING, unreported };
  }

  private onArrivals(points: readonly { readonly receivedMs: number }[], context: SensorMessageContext): void {
    if (!this.acting.some(isWatching)) return;
    const watching = this.acting.filter(isWatching);
    const inOrder = [...new Set(points.map(({ receivedMs }) => receivedMs))].sort((a, b) => a - b);
    for (const acting of watching) {
      this.protect(acting, context, null, () => {
        for (const arrivalMs of inOrder) this.rearm(acting, arrivalMs, context);
      });
    }
  }

  private onDue(context: SensorMessageContext): void {
    for (const acting of this.acting) {
      this.protect(acting, context, null, () => {
        this.checkCondition(acting, context);
        this.checkInactivity(acting, context);
      });
    }
  }

  private checkCondition(acting: Acting, context: { nowMs: number }): void {
    const before = acting.state;
    const isMuted = () => this.isMuted(acting, context);
    const { decision, state } = decideOnConditionDue(before, { nowMs: context.nowMs, isMuted });
    acting.state = state;
    if (!decision) return;
    this.record(acting, decision, before, context.nowMs, null);
    if (decision.fire) this.fire(acting, 'expression', decision, context.nowMs);
    else if (before.episode !== null) this.end(acting, 'expression', before.episode);
  }

  /**
   * Data of any date ends an inactivity. One that was complete at the arrival still counts, however long the pass
   * waited. The arrival proves that uploads were accepted until then.
   */
  private rearm(acting: Acting, receivedMs: number, context: SensorMessageContext): void {
    const { dueAtMs } = acting.state;
    if (dueAtMs !== null && dueAtMs <= receivedMs) {
      this.checkInactivity(acting, { ...context, availableUntilMs: receivedMs });
      // The arrival starts the next inactivity, even where that would otherwise start now.
      const { inactiveSinceMs } = acting.state;
      if ((inactiveSinceMs ?? 0) > receivedMs) acting.state = { ...acting.state, inactiveSinceMs: null };
    }
    const before = acting.state;
    acting.state = onArrival(acting.trigger, before, receivedMs, context);
    if (before.inactivityEpisode === null || acting.state.inactivityEpisode !== null) return;
    this.record(acting, RESOLVED, before, context.nowMs, null);
    this.end(acting, 'inactivity', before.inactivityEpisode);
  }

  private checkInactivity(acting: Acting, context: SensorMessageContext): void {
    const { inactivity, repeat } = acting.trigger;
    if (inactivity === null) return;
    const before = acting.state;
    const isMuted = () => this.isMuted(acting, context);
    const { decision, state } = decideOnInactivityDue({ inactivity, repeat }, before, { ...context, isMuted });
    acting.state = state;
    // A check that changed nothing is not recorded: it may happen every second.
    if (state !== before) this.record(acting, decision, before, context.nowMs, null);
    if (decision.fire) this.fire(acting, 'inactivity', decision, context.nowMs);
  }

  private evaluate(acting: Acting, point: ReceivedDataPoint, context: PointContext): void {
    // However long the pass waited for a worker.
    if (isDueBefore(acting.state, point)) this.checkCondition(acting, context);
    const before = acting.state;
    const { decision, state } = decideOnPoint(acting.trigger, before, point, context);
    acting.state = state;
    this.record(acting, decision, before, context.nowMs, point);
    if (decision.reason === 'late' && before.lastDateMs !== point.dateMs)
      this.late = withLate(this.late, acting.trigger.sensorTriggerId, point);
    if (decision.fire) this.fire(acting, 'expression', decision, context.nowMs, point);
    else if (before.episode && !state.episode) this.end(acting, 'expression', before.episode, point);
  }

  /** A muted firing or end is recorded and not delivered. */
  private isMuted({ trigger: { mutedUntilMs, triggerId } }: Acting, { nowMs }: { nowMs: number }): boolean {
    if (mutedUntilMs !== null && nowMs < mutedUntilMs) return true;
    return isMuted(this.mutes, { sensorId: this.sensor.id, triggerId, atMs: nowMs });
  }

  private fire(
    acting: Acting,
    cause: EpisodeCause,
    decision: { reason: string; variables: FiringVariables },
    firedMs: number,
    point?: ReceivedDataPoint,
  ): void {
    const fired = { ...acting, sensorId: this.sensor.id, mutes: this.mutes };
    this.firings = withNext(this.firings, firingOf(fired, cause, decision, firedMs, point));
  }

  private end(acting: Acting, cause: EpisodeCause, episode: Episode, point?: ReceivedDataPoint): void {
    const { sensorTriggerId, triggerId, triggerName, ownerId } = acting.trigger;
    const ended = { sensorTriggerId, triggerId, triggerName, ownerId, cause, episode, ...(point && { point }) };
    this.ends = withNext(this.ends, ended);
  }

  private record(
    acting: Acting,
    decision: Decided['decision'],
    before: TriggerState,
    decidedMs: number,
    point: DataPoint | null,
  ): void {
    const { sensorTriggerId, triggerId, triggerVersion, hold } = acting.trigger;
    const sensorId = this.sensor.id;
    // Written out: a spread makes a decision three times as slow.
    const decided: Decided = {
      sensorId,
      sensorTriggerId,
      triggerId,
      triggerVersion,
      decision,
      before,
      decidedMs,
      point,
    };
    if (point && acting.facts) Object.assign(decided, acting.facts(point.value));
    // An inactivity has no value.
    if (hold && decision.fire && decision.variables.sensor_data_value !== null) decided.hold = hold;
    const decisions = withNext(acting.decisions, decided);
    acting.decisions = decisions;
    const dropped = decisions.length > MAX_DECISIONS_PER_TRIGGER ? decisions.shift() : undefined;
    if (dropped) this.unreported = withCounted(this.unreported, dropped.decision.reason);
  }

  /** Records a failure on its trigger, so that the others continue. */
  private protect(acting: Acting, { nowMs }: SensorMessageContext, point: DataPoint | null, act: () => void): void {
    try {
      act();
    } catch (error) {
      const why = `the trigger could not be handled: ${error instanceof Error ? error.message : 'unknown failure'}`;
      const before = acting.state;
      acting.state = { ...before, lastError: why.slice(0, 250) };
      this.record(acting, { fire: false, reason: 'cannot-be-evaluated', error: why }, before, nowMs, point);
    }
  }
}

function isWatching({ trigger }: Acting): boolean {
  return trigger.inactivity !== null;
}
