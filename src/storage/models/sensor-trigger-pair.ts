import type { SensorTrigger } from './sensor-trigger.model';
import type { Trigger } from './trigger.model';

export interface SensorTriggerPair {
  sensorTrigger: SensorTrigger;
  trigger: Trigger;
  /** The next delivery that waits for its open episode; absent if none does. `atMs` is in ms. */
  waiting?: { what: 'escalation' | 'mute'; atMs: number } | undefined;
  /** The points that it has not evaluated because they were late, since `sinceMs`, and why they were not reported; absent if there were none. */
  late?: { points: number; sinceMs: number; error: string | null } | undefined;
}
