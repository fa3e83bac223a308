import type { Severity } from '../../edge/severity';
import type { CallResults } from '../../language/windows/window-results';
import { durationText } from './duration-text';
import type { FiringVariables } from './firing-variables';

/** The sensor of an alert; its id is null in a sample. */
export interface AlertSensor {
  id: number | null;
  name: string;
  displayName: string;
  dataType: string;
  /** JSON text, `""` when there is none. */
  dataStructure: string;
  /** `""` when none is set; absent in alerts of the release before. */
  unit?: string;
  /** JSON text, null when none is set; absent in alerts of the release before. */
  fieldUnits?: string | null;
}

/** The trigger of an alert; its id is null in a sample. */
export interface AlertTrigger {
  id: number | null;
  name: string;
  expression: string | null;
  /** Seconds. */
  inactivity: number | null;
  /** The time zone of the functions of time in the expression. */
  timezone: string;
  severity: Severity;
}

/** A stored value and its date. */
export interface LastValue {
  value: string;
  dateMs: number;
}

/** The firing, or the end of an episode, that a delivery reports. In a test there is no cause. */
export interface Alert {
  /** null in a test. */
  firingId: number | null;
  /** The first firing of the episode; null in a test. */
  episodeId: number | null;
  state: 'firing' | 'resolved';
  /** null when the firing is no longer known. */
  reason: 'expression' | 'inactivity' | null;
  /** Cause of the end of the episode; null while it is open. */
  resolvedBy: string | null;
  sensor: AlertSensor;
  trigger: AlertTrigger;
  /** Value of the deciding point; null if no point decided. */
  value: string | null;
  /** Date of the deciding point, otherwise of the decision. */
  dateMs: number;
  /** When it fired or ended, by the server's clock. */
  atMs: number;
  /** When the episode began, by the server's clock; absent in a test, and in alerts of the release before. */
  begunMs?: number;
  /** The variables at the firing; null when they are no longer known. */
  variables: FiringVariables | null;
  /** The results of the window functions in the expression at the firing; absent if they are not known. */
  windows?: CallResults;
  /** Seconds for which the expression had to be true before it fired; absent without a hold. */
  hold?: number;
  /** The newest value before the data stopped, if it is newer than the last one in the variables. */
  last?: LastValue;
  /** How long it was not acknowledged when it was delivered; absent unless the delivery is an escalation. */
  unacknowledgedMs?: number;
  /** Whether sensor, trigger and value are made up, because a tested notification is connected to nothing. */
  isSample: boolean;
}

/** What an alert is about: its trigger and its sensor. Of missing data the sensor comes first, with `since` if given. */
export function headingOf(alert: Pick<Alert, 'sensor' | 'trigger' | 'reason'>, since = ''): string {
  const { sensor, trigger } = alert;
  if (!isAboutInactivity(alert)) return `${trigger.name} on ${sensor.name}`;
  return `No data from ${sensor.name}${since && ` since ${since}`}: ${trigger.name}`;
}

/** True if an alert is about missing data. */
function isAboutInactivity({ reason, trigger }: Pick<Alert, 'trigger' | 'reason'>): boolean {
  return reason === 'inactivity' || (trigger.expression === null && trigger.inactivity !== null);
}

/** The last value before the data stopped; undefined if none is known. */
export function lastValueOf({ last, variables }: Pick<Alert, 'last' | 'variables'>): LastValue | undefined {
  if (last) return last;
  const { last_sensor_data_value: value = null, last_sensor_data_date: date = null } = variables ?? {};
  return value === null || date === null ? undefined : { value, dateMs: Math.round(date * 1000) };
}

/**
 * Since when a sensor has sent no data: the date of its last value, and at the latest the beginning of the inactivity.
 * Undefined unless the alert is an inactivity that lasts.
 */
export function inactiveSinceMs(alert: Alert): number | undefined {
  const { state, reason, trigger, atMs, begunMs = atMs } = alert;
  if (state !== 'firing' || reason !== 'inactivity') return undefined;
  const latestMs = begunMs - (trigger.inactivity ?? 0) * 1000;
  return Math.min(lastValueOf(alert)?.dateMs ?? latestMs, latestMs);
}

/** Escalations go out a moment after their time, which is not worth mentioning. */
const ROUNDED_TO_S = 5;

/** The text for an escalation: how long the alert had not been acknowledged. Empty for any other delivery. */
export function unacknowledgedText({ unacknowledgedMs }: Pick<Alert, 'unacknowledgedMs'>): string {
  if (unacknowledgedMs === undefined) return '';
  return `not acknowledged for ${durationText(Math.floor(unacknowledgedMs / 1000 / ROUNDED_TO_S) * ROUNDED_TO_S)}`;
}
