import type { SensorTriggerPair } from '../models/sensor-trigger-pair';
import type { NotificationView } from './notification.view';
import { type TriggerView, toTriggerView } from './trigger.view';
import { toUnixSeconds, toUnixSecondsOrNull } from './unix-seconds';

/** A trigger on a sensor, with the state of its evaluation. */
export interface SensorTriggerView extends TriggerView {
  active: boolean;
  /** Unix seconds; 0 before the first firing. */
  last_triggered: number;
  times_triggered: number;
  /** The value of the data point processed last; `""` when there was none. */
  last_sensor_data_value: string;
  /** Unix seconds; `null` when there was none. */
  last_sensor_data_date: number | null;
  /** Why the expression could not be evaluated the last time; `""` when it could. */
  last_error: string;
}

/** The same with the sensor that it is on. */
export interface PlacedSensorTriggerView extends SensorTriggerView {
  sensor_id: string;
}

/** A notification with the trigger and the sensor that it is connected to. */
export interface ConnectedNotificationView extends NotificationView {
  sensor_id: string;
  trigger_id: string;
  trigger: SensorTriggerView;
}

/** The answer that carries one trigger of a sensor. */
export interface SensorTriggerAnswer {
  trigger: SensorTriggerView;
}

/** The answer that carries the triggers of a sensor. */
export interface SensorTriggersAnswer {
  triggers: SensorTriggerView[];
  total?: number;
}

/** The answer that carries triggers of several sensors. */
export interface PlacedSensorTriggersAnswer {
  triggers: PlacedSensorTriggerView[];
  total?: number;
}

/** The answer that carries connected notifications. */
export interface ConnectedNotificationsAnswer {
  notifications: ConnectedNotificationView[];
  total?: number;
}

export function toSensorTriggerView({ sensorTrigger, trigger }: SensorTriggerPair): SensorTriggerView {
  return {
    ...toTriggerView(trigger),
    active: sensorTrigger.active,
    last_triggered: toUnixSeconds(sensorTrigger.lastTriggeredMs),
    times_triggered: sensorTrigger.timesTriggered,
    last_sensor_data_value: sensorTrigger.lastValue ?? '',
    last_sensor_data_date: toUnixSecondsOrNull(sensorTrigger.lastDateMs),
    last_error: sensorTrigger.lastError ?? '',
  };
}

export function toPlacedSensorTriggerView(pair: SensorTriggerPair): PlacedSensorTriggerView {
  return { ...toSensorTriggerView(pair), sensor_id: String(pair.sensorTrigger.sensorId) };
}
