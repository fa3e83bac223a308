import type { Mute } from '../../edge/mute';
import type { FiringVariables } from '../../notifications';
import type { PointStorage } from '../../platform/retention';
import type { DataPoint, ReceivedDataPoint } from '../../points';
import type { Episode, EpisodeCause } from './episode';
import type { PointDecision } from './firing';
import type { InactivityDecision } from './inactivity';
import type { TriggerRule } from './trigger-rule';
import type { TriggerState } from './trigger-state';

export interface ActorSensor {
  id: number;
  name: string;
  /** Absent or `""` when none is known. */
  unit?: string;
  dataType: string;
  /** Absent if it keeps all points. */
  storage?: PointStorage;
}

/** A trigger connected to a sensor: its rule and its state. */
export interface SensorTriggerEntry extends TriggerRule {
  sensorTriggerId: number;
  triggerId: number;
  triggerName: string;
  ownerId: number;
  /** True if the end of an episode is delivered. */
  notifyResolved: boolean;
  /** Until this time, firings are recorded and not delivered. */
  mutedUntilMs: number | null;
  state: TriggerState;
}

export interface SensorFiring {
  sensorTriggerId: number;
  triggerId: number;
  triggerName: string;
  ownerId: number;
  firedMs: number;
  reason: EpisodeCause;
  variables: FiringVariables;
  /** Start of the episode: `firedMs` of its first firing. */
  episodeMs: number;
  /** Seconds for which the expression had to be true before it fired; absent without a hold. */
  hold?: number;
  /** True if the firing is recorded and not delivered. */
  isMuted: boolean;
  /** When it is delivered although it is muted, if its episode still lasts; absent if it is not. */
  deferredUntilMs?: number;
  /** The point that caused the firing; absent for an inactivity. */
  point?: Omit<ReceivedDataPoint, 'value'>;
}

/** An episode that data has ended. */
export interface EpisodeEnd {
  sensorTriggerId: number;
  triggerId: number;
  triggerName: string;
  ownerId: number;
  cause: EpisodeCause;
  episode: Episode;
  /** True if the end is delivered. */
  isNotified: boolean;
  /** The point that made the expression false; absent for an inactivity. */
  point?: ReceivedDataPoint;
}

/** The input of a sensor's actor: the sensor, and its triggers as stored. */
export interface SensorState {
  sensor: ActorSensor;
  triggers: SensorTriggerEntry[];
  /** Absent if no expression has windows. */
  mayHaveWindows?: true;
  /** All mutes of the sensor's owner, including those that do not apply now. */
  mutes: readonly Mute[];
}

export interface Decided {
  sensorId: number;
  sensorTriggerId: number;
  triggerId: number;
  decision: PointDecision | InactivityDecision;
  decidedMs: number;
  /** Seconds for which the expression had to be true before it fired; absent without a hold. */
  hold?: number;
  before: TriggerState;
  /** Null if the decision was about an inactivity. */
  point: DataPoint | null;
}

/** Points that a sensor trigger did not evaluate because they are older than its last one. Both dates belong to them. */
export interface LateArrivals {
  sensorTriggerId: number;
  points: number;
  fromMs: number;
  untilMs: number;
}

/** State of a sensor trigger before and after a pass. */
export interface StateChange {
  sensorTriggerId: number;
  sensorId: number;
  triggerId: number;
  before: TriggerState;
  state: TriggerState;
}

export interface SensorChanges {
  /** Only states that differ from the actor's input, in the order of its triggers. */
  states: readonly StateChange[];
  firings: readonly SensorFiring[];
  ends: readonly EpisodeEnd[];
  late: readonly LateArrivals[];
  decisions: readonly Decided[];
  /** Number of unreported decisions for each reason (`MAX_DECISIONS_PER_TRIGGER` limits the reported ones). */
  unreported: ReadonlyMap<Decided['decision']['reason'], number>;
}
