import { toUnixSeconds, toUnixSecondsOrNull } from '../../edge/dates';
import type { PageTotal } from '../../edge/paging';
import { type AboutNotifications, type NotificationView, toNotificationView } from '../../notifications';
import type { SensorTriggerPair } from '../../storage/models/sensor-trigger-pair';
import type { LateHandling } from '../rules/late';
import { type AlertState, MINUTE_MS } from '../rules/trigger-state';
import { lateOf, type TriggerFields, toTriggerFields } from './trigger.view';
import type { NotificationConnection } from './trigger-notifications.service';

/** A trigger on a sensor, with the state of its evaluation. */
export interface SensorTriggerView extends TriggerFields {
  /** @example true */
  active: boolean;
  /**
   * Unix seconds; 0 before the first firing.
   * @example 1795229544.8
   */
  last_triggered: number;
  /**
   * @isInt
   * @example 3
   */
  times_triggered: number;
  /**
   * The value of the last processed data point; `""` if there was none.
   * @example "31.2"
   */
  last_sensor_data_value: string;
  /**
   * The date of the last processed data point in unix seconds; `null` if there was none.
   * @example 1795229544.125
   */
  last_sensor_data_date: number | null;
  /**
   * Why the expression could not be evaluated the last time; `\"\"` if it could.
   * @example ""
   */
  last_error: string;
  /**
   * `firing` while an episode lasts, `pending` while the expression is true and has not fired, otherwise `ok`.
   * @example "ok"
   */
  state: AlertState;
  /**
   * Start of this state, in unix seconds.
   * @example 1795229544.8
   */
  state_since: number;
  /**
   * Until when firings are recorded and not delivered, in unix seconds; `null` if not set.
   * @example null
   */
  muted_until: number | null;
  /** What happens next without another data point; `null` if nothing does. */
  next: NextView | null;
  /**
   * True if the selector of the trigger connected it, and you did not connect it by hand.
   * @example false
   */
  by_selector: boolean;
  late: LateView;
}

/** Points that were stored and not evaluated, because they are older than the last evaluated one. */
export interface LateView {
  /**
   * Their number since `since`. The count begins again with the first late point after a day.
   * @isInt
   * @example 60
   */
  count: number;
  /**
   * Unix seconds; `null` if there were none.
   * @example 1795229544.8
   */
  since: number | null;
  /**
   * The `late` of the trigger.
   * @example "ignore"
   */
  handling: LateHandling;
}

/** The next thing that the clock decides. */
export interface NextView {
  /**
   * `hold`: it fires when the expression has been true for so long. `minute`: it fires a minute after its last firing.
   * `keep_firing_for`: its episode ends. `inactivity`: it fires. `repeat`: it fires again while the inactivity lasts.
   * `escalation`: a notification that was connected with `after` gets the firing, unless its episode is over or
   * acknowledged by then. `mute`: the mute ends that holds back its firing (`"then": "deliver"`). `parent`: it is
   * checked again whether the trigger that its own depends on holds its firing.
   * @example "hold"
   */
  what: 'hold' | 'minute' | 'keep_firing_for' | 'inactivity' | 'repeat' | 'escalation' | 'mute' | 'parent';
  /**
   * Unix seconds.
   * @example 1795229844.8
   */
  at: number;
}

/** A trigger on a sensor, with the id of the sensor. */
export interface PlacedSensorTriggerView extends SensorTriggerView {
  /** @example "42" */
  sensor_id: string;
}

/** A notification of a trigger, on one sensor or on all its sensors. */
export interface TriggerNotificationView extends NotificationView {
  /**
   * Seconds: it gets a firing only if its episode is neither ended nor acknowledged this long after its beginning.
   * @isInt
   * @example 0
   */
  after: number;
}

/** A notification with the trigger and the sensor that it is connected to. */
export interface ConnectedNotificationView extends TriggerNotificationView {
  /** @example "42" */
  sensor_id: string;
  /** @example "5" */
  trigger_id: string;
  trigger: SensorTriggerView;
}

/** The response with a trigger on a sensor. */
export interface SensorTriggerResponse {
  trigger: SensorTriggerView;
}

/** The response with the triggers on a sensor. */
export interface SensorTriggersResponse extends PageTotal {
  triggers: SensorTriggerView[];
  /**
   * Only if it was saved and cannot work: the expression reads, or a notification shows, a field that no connected sensor
   * has.
   * @example "no sensor that the trigger is connected to has the field \"lux\", so its expression cannot be evaluated there"
   */
  warning?: string;
}

/** The response with the triggers on several sensors. */
export interface PlacedSensorTriggersResponse extends PageTotal {
  triggers: PlacedSensorTriggerView[];
}

/** The response with the notifications of a trigger, on one sensor or on all its sensors. */
export interface TriggerNotificationsResponse extends PageTotal {
  notifications: TriggerNotificationView[];
  /**
   * Only if it was connected and shows a field that the latest values of the sensors do not have.
   * @example "the notification 8 shows nothing for sensor_data_value.lux: in the latest values of the connected sensors sensor_data_value.lux does not exist"
   */
  warning?: string;
}

/** The response with connected notifications. */
export interface ConnectedNotificationsResponse extends PageTotal {
  notifications: ConnectedNotificationView[];
}

export function toSensorTriggerView({ sensorTrigger, trigger, waiting, late }: SensorTriggerPair): SensorTriggerView {
  return {
    ...toTriggerFields(trigger),
    active: sensorTrigger.active,
    last_triggered: toUnixSeconds(sensorTrigger.lastTriggeredMs),
    times_triggered: sensorTrigger.timesTriggered,
    last_sensor_data_value: sensorTrigger.lastValue ?? '',
    last_sensor_data_date: toUnixSecondsOrNull(sensorTrigger.lastDateMs),
    last_error: sensorTrigger.lastError ?? late?.error ?? '',
    state: stateOf(sensorTrigger),
    state_since: toUnixSeconds(sensorTrigger.stateSinceMs ?? sensorTrigger.createdMs),
    muted_until: toUnixSecondsOrNull(sensorTrigger.mutedUntilMs),
    next: firstOf(nextOf(sensorTrigger, trigger), waiting),
    by_selector: sensorTrigger.bySelector,
    late: {
      count: late?.points ?? 0,
      since: toUnixSecondsOrNull(late?.sinceMs ?? null),
      handling: lateOf(trigger),
    },
  };
}

/** The earlier of what the clock decides and what waits for the episode. */
function firstOf(next: NextView | null, waiting: SensorTriggerPair['waiting']): NextView | null {
  if (waiting === undefined) return next;
  const at = toUnixSeconds(waiting.atMs);
  return next !== null && next.at <= at ? next : { what: waiting.what, at };
}

function nextOf(state: SensorTriggerPair['sensorTrigger'], { repeat }: SensorTriggerPair['trigger']): NextView | null {
  if (!state.active) return null;
  const { conditionDueMs, clearSinceMs, lastTriggeredMs, dueAtMs, inactivityEpisodeMs } = state;
  const repeatsNot = inactivityEpisodeMs !== null && (repeat === 0 || state.inactivityEpisodeAcknowledged);
  const inactivityMs = repeatsNot ? null : dueAtMs;
  if (conditionDueMs !== null && conditionDueMs <= (inactivityMs ?? conditionDueMs)) {
    const waiting = conditionDueMs === lastTriggeredMs + MINUTE_MS ? 'minute' : 'hold';
    return { what: clearSinceMs === null ? waiting : 'keep_firing_for', at: toUnixSeconds(conditionDueMs) };
  }
  if (inactivityMs === null) return null;
  return { what: inactivityEpisodeMs === null ? 'inactivity' : 'repeat', at: toUnixSeconds(inactivityMs) };
}

function stateOf({ episodeMs, inactivityEpisodeMs, pendingSinceMs }: SensorTriggerPair['sensorTrigger']): AlertState {
  if (episodeMs !== null || inactivityEpisodeMs !== null) return 'firing';
  return pendingSinceMs === null ? 'ok' : 'pending';
}

/** The connected notification in its owner's view. */
export function toTriggerNotificationView(
  { notification, afterS }: NotificationConnection,
  secrets: { withSecret: boolean },
  about: AboutNotifications,
): TriggerNotificationView {
  return { ...toNotificationView(notification, secrets, about), after: afterS };
}

export function toPlacedSensorTriggerView(pair: SensorTriggerPair): PlacedSensorTriggerView {
  return { ...toSensorTriggerView(pair), sensor_id: String(pair.sensorTrigger.sensorId) };
}
