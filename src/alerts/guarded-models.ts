import type { GuardedModel, SensorSource } from '../access/rule-edit';
import { Mute } from '../storage/models/mute.model';
import { SensorTrigger } from '../storage/models/sensor-trigger.model';
import { Trigger } from '../storage/models/trigger.model';
import { TriggerShadow } from '../storage/models/trigger-shadow.model';

/** Passes cache rows of these models. */
export const guardedModels: readonly GuardedModel[] = [
  { model: SensorTrigger, fields: 'all' },
  { model: Mute, fields: 'all' },
  { model: Trigger, fields: 'all', isFreeToCreate: true },
  { model: TriggerShadow, fields: 'all' },
];

/** The sensors with triggers of a user, for an edit. */
export function triggersOfUser(userId: number): SensorSource {
  const from = 'sensor_triggers st JOIN triggers t ON t.id = st.trigger_id';
  return { from, sensorId: 'st.sensor_id', column: 't.owner_id', ids: [userId] };
}
