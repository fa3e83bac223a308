import type { DataPoint, ReceivedDataPoint } from '../domain/data-point';
import { type Episode, type EpisodeCause, hasSameEpisodes } from '../domain/episode';
import { decideOnPoint } from '../domain/firing';
import { decideOnInactivityDue, onArrival } from '../domain/inactivity';
import { isMuted, type Mute } from '../domain/mute';
import type { FiringVariables, TriggerState } from '../domain/trigger-state';
import type { SensorMessage, SensorMessageContext } from './sensor.messages';
import type {
  ActorSensor,
  Decided,
  EpisodeEnd,
  SensorChanges,
  SensorFiring,
  SensorState,
  SensorTriggerEntry,
} from './sensor.state';

/** Decisions reported for each trigger: the latest ones. No more are held in memory, however much is evaluated. */
const MAX_DECISIONS_PER_TRIGGER = 100;

/** One sensor's triggers for the length of a turn: it handles messages, then reports what changed. No I/O, no clock. */
export class SensorActor {
  readonly sensor: ActorSensor;
  private readonly triggers: SensorTriggerEntry[];
  private readonly mutes: readonly Mute[];
  private readonly before: ReadonlyMap<number, TriggerState>;
  private readonly firings: SensorFiring[] = [];
  private readonly ends: EpisodeEnd[] = [];
  private readonly decisions = new Map<number, Decided[]>();
  private readonly reasons = new Map<Decided['decision']['reason'], number>();

  constructor({ sensor, triggers, mutes }: SensorState) {
    this.sensor = sensor;
    this.mutes = mutes;
    this.triggers = triggers.map((trigger) => ({ ...trigger }));
    this.before = new Map(triggers.map(({ sensorTriggerId, state }) => [sensorTriggerId, state]));
  }

  /** Handles one message; messages are given in the order in which they are to count. */
  handle(message: SensorMessage, context: SensorMessageContext): void {
    switch (message.kind) {
      case 'arrivals':
        this.onArrivals(message.receivedMs, context);
        break;
      case 'points':
        this.onDataPoints(message.points, context);
        break;
      case 'inactivity-due':
        this.onInactivityDue(context);
        break;
      default:
        unknownMessage(message);
    }
  }

  /** What all messages so far have brought about. */
  changes(): SensorChanges {
    const states = this.triggers.flatMap(({ sensorTriggerId, triggerId, state }) => {
      const before = this.before.get(sensorTriggerId) ?? state;
      return isSame(before, state) ? [] : [{ sensorTriggerId, triggerId, before, state }];
    });
    const { firings, ends, reasons } = this;
    const decisions = [...this.decisions.values()].flat();
    return { states, firings: [...firings], ends: [...ends], decisions, reasons };
  }

  private onArrivals(receivedMs: readonly number[], context: SensorMessageContext): void {
    const watching = this.triggers.filter(({ inactivity }) => inactivity !== null);
    if (watching.length === 0) return;
    const inOrder = [...new Set(receivedMs)].sort((a, b) => a - b);
    for (const trigger of watching) {
      this.protect(trigger, context, () => {
        for (const arrivalMs of inOrder) this.rearm(trigger, arrivalMs, context);
      });
    }
  }

  private onDataPoints(points: readonly ReceivedDataPoint[], context: SensorMessageContext): void {
    this.onArrivals(
      points.map(({ receivedMs }) => receivedMs),
      context,
    );
    const byDate = points.length === 1 ? points : [...points].sort((a, b) => a.dateMs - b.dateMs);
    for (const trigger of this.triggers) {
      for (const point of byDate) this.protect(trigger, context, () => this.evaluate(trigger, point, context), point);
    }
  }

  private onInactivityDue(context: SensorMessageContext): void {
    for (const trigger of this.triggers) this.protect(trigger, context, () => this.checkInactivity(trigger, context));
  }

  /**
   * Data of any date ends the inactivity. An inactivity that was already complete when the data came still counts, however long
   * this turn had to wait for a worker; and the arrival itself proves until when data was accepted.
   */
  private rearm(trigger: SensorTriggerEntry, receivedMs: number, context: SensorMessageContext): void {
    const { dueAtMs } = trigger.state;
    if (dueAtMs !== null && dueAtMs <= receivedMs) {
      this.checkInactivity(trigger, { ...context, availableUntilMs: receivedMs });
      // What came after that inactivity begins the next one, also where it would otherwise begin now.
      const { inactiveSinceMs } = trigger.state;
      if (inactiveSinceMs !== null && inactiveSinceMs > receivedMs)
        trigger.state = { ...trigger.state, inactiveSinceMs: null };
    }
    const before = trigger.state;
    trigger.state = onArrival(trigger, before, receivedMs, context);
    if (before.inactivityEpisode === null || trigger.state.inactivityEpisode !== null) return;
    const decision = { fire: false, reason: 'resolved' } as const;
    this.record(trigger, { decision, before, decidedMs: context.nowMs, point: null });
    this.end(trigger, 'inactivity', before.inactivityEpisode, context);
  }

  private checkInactivity(trigger: SensorTriggerEntry, context: SensorMessageContext): void {
    const { inactivity, repeat } = trigger;
    if (inactivity === null) return;
    const before = trigger.state;
    const isMuted = () => this.isMuted(trigger, context);
    const { decision, state } = decideOnInactivityDue({ inactivity, repeat }, before, { ...context, isMuted });
    trigger.state = state;
    // A check that changed nothing is not recorded: it may happen every second.
    if (state !== before) this.record(trigger, { decision, before, decidedMs: context.nowMs, point: null });
    if (decision.fire) this.fire(trigger, 'inactivity', decision, context.nowMs);
  }

  private evaluate(trigger: SensorTriggerEntry, point: ReceivedDataPoint, context: SensorMessageContext): void {
    const { nowMs } = context;
    const before = trigger.state;
    const { dataType } = this.sensor;
    const isMuted = () => this.isMuted(trigger, context);
    const { decision, state } = decideOnPoint(trigger, before, point, { nowMs, dataType, isMuted });
    trigger.state = state;
    this.record(trigger, { decision, before, decidedMs: nowMs, point });
    if (decision.fire) this.fire(trigger, 'expression', decision, nowMs, point);
    else if (before.episode !== null && state.episode === null)
      this.end(trigger, 'expression', before.episode, context, point);
  }

  /** Whether what it sends now is not delivered. */
  private isMuted({ mutedUntilMs, triggerId }: SensorTriggerEntry, { nowMs }: SensorMessageContext): boolean {
    if (mutedUntilMs !== null && nowMs < mutedUntilMs) return true;
    return isMuted(this.mutes, { sensorId: this.sensor.id, triggerId, atMs: nowMs });
  }

  private fire(
    { sensorTriggerId, triggerId, triggerName, ownerId, state }: SensorTriggerEntry,
    cause: EpisodeCause,
    { reason, variables }: { reason: string; variables: FiringVariables },
    firedMs: number,
    point?: ReceivedDataPoint,
  ): void {
    const episodeMs = (cause === 'expression' ? state.episode : state.inactivityEpisode)?.beganMs ?? firedMs;
    const known = { sensorTriggerId, triggerId, triggerName, ownerId, firedMs, episodeMs, variables };
    const instants = point ? { point: instantsOf(point) } : {};
    this.firings.push({ ...known, reason: cause, isMuted: reason === 'muted', ...instants });
  }

  private end(
    trigger: SensorTriggerEntry,
    cause: EpisodeCause,
    episode: Episode,
    context: SensorMessageContext,
    point?: ReceivedDataPoint,
  ): void {
    const { sensorTriggerId, triggerId, triggerName, ownerId } = trigger;
    const isNotified = trigger.notifyResolved && episode.isAnnounced && !this.isMuted(trigger, context);
    const known = { sensorTriggerId, triggerId, triggerName, ownerId, cause, episode, isNotified };
    this.ends.push({ ...known, ...(point ? { point } : {}) });
  }

  private record(
    { sensorTriggerId, triggerId }: SensorTriggerEntry,
    { decision, before, decidedMs, point }: Omit<Decided, 'sensorId' | 'sensorTriggerId' | 'triggerId'>,
  ): void {
    this.reasons.set(decision.reason, (this.reasons.get(decision.reason) ?? 0) + 1);
    const known = this.decisions.get(sensorTriggerId) ?? [];
    this.decisions.set(sensorTriggerId, known);
    known.push({ sensorId: this.sensor.id, sensorTriggerId, triggerId, decision, before, decidedMs, point });
    if (known.length > MAX_DECISIONS_PER_TRIGGER) known.shift();
  }

  /** One trigger's failure is recorded on that trigger and does not affect the others. */
  private protect(
    trigger: SensorTriggerEntry,
    { nowMs }: SensorMessageContext,
    act: () => void,
    point: DataPoint | null = null,
  ): void {
    try {
      act();
    } catch (error) {
      const why = `the trigger could not be handled: ${error instanceof Error ? error.message : 'unknown failure'}`;
      const before = trigger.state;
      trigger.state = { ...before, lastError: why.slice(0, 250) };
      const decision = { fire: false, reason: 'cannot-be-evaluated', error: why } as const;
      this.record(trigger, { decision, before, decidedMs: nowMs, point });
    }
  }
}

function isSame(a: TriggerState, b: TriggerState): boolean {
  if (a === b) return true;
  return (
    a.active === b.active &&
    a.lastTriggeredMs === b.lastTriggeredMs &&
    a.timesTriggered === b.timesTriggered &&
    a.lastValue === b.lastValue &&
    a.lastDateMs === b.lastDateMs &&
    a.lastError === b.lastError &&
    a.inactiveSinceMs === b.inactiveSinceMs &&
    a.dueAtMs === b.dueAtMs &&
    hasSameEpisodes(a, b)
  );
}

function unknownMessage(message: never): never {
  throw new Error(`unknown message ${JSON.stringify(message)}`);
}

function instantsOf({ dateMs, receivedMs, storedMs }: ReceivedDataPoint): Omit<ReceivedDataPoint, 'value'> {
  return { dateMs, receivedMs, ...(storedMs === undefined ? {} : { storedMs }) };
}
