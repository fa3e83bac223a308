import type { Mute } from '../../edge/mute';
import type { SensorLabels, UsedLabels } from '../../language/labels';
import type { SensorZones } from '../../language/zones/sensor-zones';
import type { FiringVariables } from '../../notifications';
import type { PointStorage } from '../../platform/retention';
import type { DataPoint, ReceivedDataPoint } from '../../points';
import type { Dependency } from './dependency';
import type { Episode, EpisodeCause } from './episode';
import type { PointDecision } from './firing';
import type { InactivityDecision } from './inactivity';
import type { TriggerRule } from './trigger-rule';
import type { TriggerState } from './trigger-state';

export interface ActorSensor {
  id: number;
  name: string;
  unit?: string;
  dataType: string;
  /** Those that its triggers name; absent if they name none. */
  labels?: SensorLabels;
  /** Absent if its triggers read none. */
  zones?: SensorZones;
  /** Absent if the sensor keeps all points. */
  storage?: PointStorage;
}

export interface SensorTriggerEntry extends TriggerRule {
  sensorTriggerId: number;
  triggerId: number;
  triggerName: string;
  triggerVersion: number;
  ownerId: number;
  notifyResolved: boolean;
  /** Absent without one. */
  dependsOn?: Dependency;
  /** Until then, firings are recorded and not delivered. */
  mutedUntilMs: number | null;
  state: TriggerState;
}

export interface SensorFiring {
  sensorTriggerId: number;
  triggerId: number;
  triggerName: string;
  triggerVersion: number;
  ownerId: number;
  firedMs: number;
  reason: EpisodeCause;
  variables: FiringVariables;
  /** `firedMs` of the first firing. */
  episodeMs: number;
  /** Seconds; absent without a hold. */
  hold?: number;
  isMuted: boolean;
  /** The dependency of the trigger; absent without one. */
  dependsOn?: Dependency;
  /** When a muted firing is delivered, if its episode still lasts. */
  deferredUntilMs?: number;
  /** Absent for an inactivity. */
  point?: Omit<ReceivedDataPoint, 'value'>;
}

export interface EpisodeEnd {
  sensorTriggerId: number;
  triggerId: number;
  triggerName: string;
  ownerId: number;
  cause: EpisodeCause;
  episode: Episode;
  point?: ReceivedDataPoint;
}

export interface SensorState {
  sensor: ActorSensor;
  triggers: SensorTriggerEntry[];
  /** Absent without windows. */
  mayHaveWindows?: true;
  /** Includes mutes that do not apply now. */
  mutes: readonly Mute[];
  /** Absent without shadows. */
  shadows?: ShadowedSensor;
}

/** The shadows on a sensor. A pass fills `triggers` with those that it tries. */
export interface ShadowedSensor extends Omit<SensorState, 'shadows'> {
  entries: ShadowEntry[];
}

export interface ShadowEntry {
  shadowId: number;
  sensorTriggerId: number;
  untilMs: number;
  rule: Required<TriggerRule>;
  /** What `encodeShadow` stored; null before the first evaluation. */
  memory: string | null;
}

export interface Decided {
  sensorId: number;
  sensorTriggerId: number;
  triggerId: number;
  decision: PointDecision | InactivityDecision;
  decidedMs: number;
  triggerVersion: number;
  hold?: number;
  labels?: UsedLabels | undefined;
  zone?: string | undefined;
  before: TriggerState;
  /** Null for an inactivity. */
  point: DataPoint | null;
}

/** Points older than the last one of a sensor trigger. Both dates belong to them. */
export interface LateArrivals {
  sensorTriggerId: number;
  points: number;
  fromMs: number;
  untilMs: number;
}

export interface StateChange {
  sensorTriggerId: number;
  sensorId: number;
  triggerId: number;
  before: TriggerState;
  state: TriggerState;
}

export interface SensorChanges {
  /** Only changed states, in the order of the triggers. */
  states: readonly StateChange[];
  firings: readonly SensorFiring[];
  ends: readonly EpisodeEnd[];
  late: readonly LateArrivals[];
  decisions: readonly Decided[];
  /** By reason: decisions beyond `MAX_DECISIONS_PER_TRIGGER`. */
  unreported: ReadonlyMap<Decided['decision']['reason'], number>;
}
