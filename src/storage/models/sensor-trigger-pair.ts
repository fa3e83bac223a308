import type { SensorTrigger } from './sensor-trigger.model';
import type { Trigger } from './trigger.model';

/** A sensor trigger with its rule. */
export interface SensorTriggerPair {
  sensorTrigger: SensorTrigger;
  trigger: Trigger;
}
