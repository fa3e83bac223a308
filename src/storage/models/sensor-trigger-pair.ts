import type { SensorTrigger } from './sensor-trigger.model';
import type { Trigger } from './trigger.model';

export interface SensorTriggerPair {
  sensorTrigger: SensorTrigger;
  trigger: Trigger;
}
