import { deferral, type Mute } from '../../../edge/mute';
import type { FiringVariables } from '../../../notifications';
import { instantsOf, type ReceivedDataPoint } from '../../../points';
import type { EpisodeCause } from '../../rules/episode';
import type { factsOf } from '../../rules/rule-zones';
import type { SensorFiring, SensorTriggerEntry } from '../../rules/sensor-state';
import type { TriggerState } from '../../rules/trigger-state';

interface Fired {
  trigger: SensorTriggerEntry;
  facts: ReturnType<typeof factsOf>;
  /** After the decision. */
  state: TriggerState;
  sensorId: number;
  mutes: readonly Mute[];
}

interface FiringDecision {
  reason: string;
  variables: FiringVariables;
}

/** What a pass writes of a firing. Without a point, the clock has decided. */
export function firingOf(
  { trigger, facts, state, sensorId, mutes }: Fired,
  cause: EpisodeCause,
  { reason, variables }: FiringDecision,
  firedMs: number,
  point?: ReceivedDataPoint,
): SensorFiring {
  const { sensorTriggerId, triggerId, triggerName, triggerVersion, ownerId, mutedUntilMs, hold, dependsOn } = trigger;
  const episodeMs = (cause === 'expression' ? state.episode : state.inactivityEpisode)?.beganMs ?? firedMs;
  const used = cause === 'expression' ? facts?.(variables.sensor_data_value) : undefined;
  const known = { sensorTriggerId, triggerId, triggerName, triggerVersion, ownerId, firedMs, episodeMs };
  const isMuted = reason === 'muted';
  const moment = { sensorId, triggerId, atMs: firedMs };
  const deferred = isMuted ? deferral({ mutes, mutedUntilMs }, moment) : {};
  const held = { ...(hold && cause === 'expression' && { hold }), ...(dependsOn && { dependsOn }) };
  const instants = point ? { point: instantsOf(point) } : {};
  const shown = { variables: { ...variables, ...used }, reason: cause, isMuted };
  return { ...known, ...shown, ...held, ...deferred, ...instants };
}
