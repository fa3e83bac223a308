import type { SensorTrigger } from './sensor-trigger.model';
import type { Trigger } from './trigger.model';

export interface SensorTriggerPair {
  sensorTrigger: SensorTrigger;
  trigger: Trigger;
  /** When the next notification takes part in its open episode, in ms; absent if none waits. */
  escalationMs?: number | undefined;
}
