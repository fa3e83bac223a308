import type { DateInput } from '../../edge/dates';
import { readId } from '../../edge/id';
import { readListOrSingle } from '../../edge/list-or-single';
import { MAX_VALUE_BYTES } from '../../language/sensor-value';
import { InvalidInput } from '../../platform/errors';
import type { SensorTriggerChange } from '../rules/trigger-state';

/** Refers to a trigger by its id. */
export interface TriggerReference {
  trigger: {
    /**
     * @maxLength 20
     * @example "5"
     */
    id: string;
  };
}

/** The triggers to connect: a list, or a single `trigger`. */
export interface ConnectTriggersRequest {
  triggers?: TriggerReference[];
  trigger?: TriggerReference['trigger'];
}

/** Refers to a notification by its id, and says when it takes part. */
export interface NotificationReference {
  notification: {
    /**
     * @maxLength 20
     * @example "7"
     */
    id: string;
    /**
     * Seconds: the notification gets a firing only if its episode is neither ended nor acknowledged this long after its
     * beginning. By default 0, or as before if it is connected already.
     * @isInt
     * @minimum 0
     * @maximum 604800
     * @example 600
     */
    after?: number;
  };
}

/** The notifications to connect: a list, or a single `notification`. */
export interface ConnectNotificationsRequest {
  notifications?: NotificationReference[];
  notification?: NotificationReference['notification'];
}

/** The state of a trigger on a sensor; fields that are not given keep their values. */
export interface SensorTriggerChanges {
  /** @example true */
  active?: boolean;
  /**
   * Unix seconds. For a minute after this the trigger does not fire again.
   * @minimum 0
   * @maximum 253402300799
   * @example 1795229544
   */
  last_triggered?: DateInput;
  /**
   * @isInt
   * @minimum 0
   * @maximum 2147483647
   * @example 3
   */
  times_triggered?: number;
  /**
   * @deprecated The old spelling of `times_triggered`. Of the two, the one that differs from the stored value counts, so that a
   * whole record may be sent back; this one when both differ.
   * @isInt
   * @minimum 0
   * @maximum 2147483647
   * @example 3
   */
  times_triggerd?: number;
  /**
   * At most 65,535 bytes.
   * @example "21.5"
   */
  last_sensor_data_value?: string;
  /**
   * Unix seconds. Only newer data points are evaluated.
   * @minimum 0
   * @maximum 253402300799
   * @example 1795229544.125
   */
  last_sensor_data_date?: DateInput;
  /**
   * Unix seconds: until then firings are recorded and not delivered. `null` ends this.
   * @minimum 0
   * @maximum 253402300799
   * @example null
   */
  muted_until?: DateInput | null;
}

/** Changes the state of a trigger on a sensor. */
export interface UpdateSensorTriggerRequest {
  trigger: SensorTriggerChanges;
}

/** Switches a trigger on a sensor on or off. */
export interface ActivateSensorTriggerRequest {
  /** @example true */
  active: boolean;
}

/** Reads the ids from either form; at least one is required. */
export function readTriggerIds({ triggers, trigger }: ConnectTriggersRequest): number[] {
  const single = { name: 'trigger', item: trigger && { trigger } };
  const named = readListOrSingle({ name: 'triggers', items: triggers }, single);
  return named.map(({ item }) => readId(item.trigger.id, `trigger ${item.trigger.id}`));
}

/** Reads the notifications from either form; at least one is required. */
export function readNotifications({
  notifications,
  notification,
}: ConnectNotificationsRequest): { notificationId: number; afterS: number | undefined }[] {
  const single = { name: 'notification', item: notification && { notification } };
  const named = readListOrSingle({ name: 'notifications', items: notifications }, single);
  return named.map(
    ({
      item: {
        notification: { id, after },
      },
    }) => ({
      notificationId: readId(id, `notification ${id}`),
      afterS: after,
    }),
  );
}

/** Reads the change; times in ms. */
export function readSensorTriggerChange(changes: SensorTriggerChanges): SensorTriggerChange {
  if (Buffer.byteLength(changes.last_sensor_data_value ?? '') > MAX_VALUE_BYTES) {
    throw InvalidInput.field('trigger.last_sensor_data_value', `must be at most ${MAX_VALUE_BYTES} bytes`);
  }
  return {
    active: changes.active,
    lastTriggeredMs: toMs(changes.last_triggered),
    timesTriggered: [changes.times_triggerd, changes.times_triggered].filter((count) => count !== undefined),
    lastValue: changes.last_sensor_data_value,
    lastDateMs: toMs(changes.last_sensor_data_date),
    mutedUntilMs: changes.muted_until === null || changes.muted_until === 0 ? null : toMs(changes.muted_until),
  };
}

function toMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(seconds * 1000);
}
