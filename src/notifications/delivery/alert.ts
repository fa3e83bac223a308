import { fullName } from '../../access/equal-names';
import type { Severity } from '../../edge/severity';
import type { CallResults } from '../../language/windows/window-results';
import type { Words } from '../../platform/words/words';
import { durationText } from './duration-text';
import type { FiringVariables } from './firing-variables';

export interface AlertSensor {
  id: number | null;
  name: string;
  displayName: string;
  /** What distinguishes it from other sensors of its owner with its name. */
  apart?: string;
  dataType: string;
  /** JSON text, `""` when there is none. */
  dataStructure: string;
  /** `""` when none is set; absent in old alerts. */
  unit?: string;
  /** JSON text, or null; absent in old alerts. */
  fieldUnits?: string | null;
}

export interface AlertTrigger {
  id: number | null;
  name: string;
  expression: string | null;
  /** Seconds. */
  inactivity: number | null;
  timezone: string;
  severity: Severity;
}

export interface LastValue {
  value: string;
  dateMs: number;
}

export interface Alert {
  /** null in a test. */
  firingId: number | null;
  /** First firing of the episode; null in a test. */
  episodeId: number | null;
  state: 'firing' | 'resolved';
  /** null when the firing is no longer known. */
  reason: 'expression' | 'inactivity' | null;
  /** null while the episode is open. */
  resolvedBy: string | null;
  sensor: AlertSensor;
  trigger: AlertTrigger;
  /** null if no point decided. */
  value: string | null;
  /** Date of the deciding point, otherwise of the decision. */
  dateMs: number;
  /** When it fired or ended, by the server's clock. */
  atMs: number;
  /** Beginning of the episode, by the server's clock; absent in a test and in old alerts. */
  begunMs?: number;
  variables: FiringVariables | null;
  windows?: CallResults;
  /** Seconds; absent without a hold. */
  hold?: number;
  /** Absent if the variables hold the newest value before the data stopped. */
  last?: LastValue;
  /** Absent unless the delivery is an escalation. */
  unacknowledgedMs?: number;
  /** A user, or the person of a link; absent if nobody is known. */
  acknowledgedBy?: string;
  /** A user. */
  assignedTo?: string;
  /** True if a tested notification is connected to nothing. */
  isSample: boolean;
}

/** The name of a sensor with what distinguishes it. */
export function sensorText({ name, apart }: Pick<AlertSensor, 'name' | 'apart'>): string {
  return fullName(name, apart);
}

/** For missing data the sensor comes first, with `since`. */
export function headingOf(alert: Pick<Alert, 'sensor' | 'trigger' | 'reason'>, words: Words, since = ''): string {
  const named = { trigger: alert.trigger.name, sensor: sensorText(alert.sensor) };
  if (!isAboutInactivity(alert)) return words.t('{trigger} on {sensor}', named);
  if (since === '') return words.t('No data from {sensor}: {trigger}', named);
  return words.t('No data from {sensor} since {since}: {trigger}', { ...named, since });
}

function isAboutInactivity({ reason, trigger }: Pick<Alert, 'trigger' | 'reason'>): boolean {
  return reason === 'inactivity' || (trigger.expression === null && trigger.inactivity !== null);
}

/** Undefined if no value is known. */
export function lastValueOf({ last, variables }: Pick<Alert, 'last' | 'variables'>): LastValue | undefined {
  if (last) return last;
  const { last_sensor_data_value: value = null, last_sensor_data_date: date = null } = variables ?? {};
  return value === null || date === null ? undefined : { value, dateMs: Math.round(date * 1000) };
}

/** Undefined unless an inactivity lasts. */
export function inactiveSinceMs(alert: Alert): number | undefined {
  const { state, reason, trigger, atMs, begunMs = atMs } = alert;
  if (state !== 'firing' || reason !== 'inactivity') return undefined;
  const latestMs = begunMs - (trigger.inactivity ?? 0) * 1000;
  return Math.min(lastValueOf(alert)?.dateMs ?? latestMs, latestMs);
}

/** Escalations go out a moment after their time. */
const ROUNDED_TO_S = 5;

/** Empty unless the delivery is an escalation. */
export function unacknowledgedText({ unacknowledgedMs }: Pick<Alert, 'unacknowledgedMs'>, words: Words): string {
  if (unacknowledgedMs === undefined) return '';
  const seconds = Math.floor(unacknowledgedMs / 1000 / ROUNDED_TO_S) * ROUNDED_TO_S;
  return words.t('not acknowledged for {duration}', { duration: durationText(seconds, words) });
}
