import type { DataPoint, ReceivedDataPoint } from '../../rules/data-point';
import type { Episode, EpisodeCause } from '../../rules/episode';
import type { PointDecision } from '../../rules/firing';
import type { InactivityDecision } from '../../rules/inactivity';
import type { Mute } from '../../rules/mute';
import type { TriggerRule } from '../../rules/trigger-rule';
import type { FiringVariables, TriggerState } from '../../rules/trigger-state';

export interface ActorSensor {
  id: number;
  name: string;
  dataType: string;
}

/** A trigger as it is connected to the sensor: the rule, and what it remembers. */
export interface SensorTriggerEntry extends TriggerRule {
  sensorTriggerId: number;
  triggerId: number;
  triggerName: string;
  ownerId: number;
  /** Whether the end of an episode is delivered. */
  notifyResolved: boolean;
  /** Until when its firings are recorded only. */
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
  /** When its episode began: `firedMs` of the first firing. */
  episodeMs: number;
  /** Whether it is recorded only. */
  isMuted: boolean;
  /** The point that made it fire; absent for an inactivity. */
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
  /** Whether its end is delivered. */
  isNotified: boolean;
  /** The point for which its expression is false; absent for an inactivity. */
  point?: ReceivedDataPoint;
}

/** What a sensor's actor is built from: the sensor, and its triggers as they are stored. */
export interface SensorState {
  sensor: ActorSensor;
  triggers: SensorTriggerEntry[];
  /** Those of its owner, whether they apply now or not. */
  mutes: readonly Mute[];
}

export interface Decided {
  sensorId: number;
  sensorTriggerId: number;
  triggerId: number;
  decision: PointDecision | InactivityDecision;
  decidedMs: number;
  /** What the trigger remembered before it decided. */
  before: TriggerState;
  /** None when it was about an inactivity. */
  point: DataPoint | null;
}

/** What a sensor trigger remembered before a pass and after it. */
export interface StateChange {
  sensorTriggerId: number;
  sensorId: number;
  triggerId: number;
  before: TriggerState;
  state: TriggerState;
}

export interface SensorChanges {
  /** Only those that differ from what the actor was built with, in the order of its triggers. */
  states: readonly StateChange[];
  firings: readonly SensorFiring[];
  ends: readonly EpisodeEnd[];
  decisions: readonly Decided[];
  /** Of decisions of which no more is reported, how many there were for each reason. */
  unreported: ReadonlyMap<Decided['decision']['reason'], number>;
}
