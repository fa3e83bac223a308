import type { SensorTrigger } from './sensor-trigger.model';
import type { Trigger } from './trigger.model';

export interface SensorTriggerPair {
  sensorTrigger: SensorTrigger;
  trigger: Trigger;
  /** Next delivery that waits for the open episode. `atMs` is in ms. */
  waiting?: { what: 'escalation' | 'mute' | 'parent'; atMs: number } | undefined;
  /** Late points that were not evaluated since `sinceMs`, and why they were not reported. */
  late?: { points: number; sinceMs: number; error: string | null } | undefined;
}
