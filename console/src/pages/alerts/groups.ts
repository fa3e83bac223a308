import { api, ask } from '../../api';
import { t } from '../../language';
import { sensorOf, triggerOf } from '../deliveries/summary';
import type { Names } from '../names';
import { read } from '../trigger/built-rule';
import type { Alert, Firing } from './load';

/** `tag:floor` groups alerts by that metatag of their sensor. */
export type Grouping = 'none' | 'trigger' | 'sensor' | 'severity' | `tag:${string}`;

export interface AlertGroup {
  name: string;
  alerts: Alert[];
}

/** More alerts than this are grouped by their triggers, unless the user chooses otherwise. */
const FEW = 10;

/** The grouping of the address, or the one that suits this number of alerts. */
export function groupingOf(chosen: string | null, alerts: number): Grouping {
  if (chosen) return chosen as Grouping; // an unknown one is a metatag that no sensor has
  return alerts > FEW ? 'trigger' : 'none';
}

/** The values of metatags of sensors, by their ids. */
export type Tags = ReadonlyMap<string, Readonly<Record<string, readonly unknown[]>>>;

export async function loadTags(signal: AbortSignal): Promise<Tags> {
  const query = { sensor_owner: 'all' as const, per_page: 1_000 };
  const { sensors } = await ask(api.get('/sensors/metatags', { params: { query }, signal }));
  return new Map(sensors.map(({ id, metatags = {} }) => [id, metatags]));
}

/** The groups in the order of their first alerts; a single one without a name if alerts are not grouped. */
export function groupsOf(alerts: readonly Alert[], by: Grouping, names: Names, tags: Tags): AlertGroup[] {
  if (by === 'none') return [{ name: '', alerts: [...alerts] }];
  const groups = new Map<string, AlertGroup>();
  for (const alert of alerts) {
    const [key, name] = keyOf(alert.latest, by, names, tags);
    const group = groups.get(key) ?? { name, alerts: [] };
    group.alerts.push(alert);
    groups.set(key, group);
  }
  for (const group of groups.values()) if (by === 'trigger') group.alerts = worstFirst(group.alerts);
  return [...groups.values()];
}

function keyOf(firing: Firing, by: Grouping, names: Names, tags: Tags): [key: string, name: string] {
  const { sensor_id, trigger_id, severity } = firing;
  if (by === 'trigger') return [trigger_id, triggerOf(trigger_id, names)];
  if (by === 'sensor') return [sensor_id, sensorOf(sensor_id, names)];
  if (by === 'severity') return [severity, t(severity)];
  const name = by.slice('tag:'.length);
  const values = tags.get(sensor_id)?.[name]?.map(String).join(', ');
  return values ? [values, `${name}: ${values}`] : ['', t('without {name}', { name })];
}

/** The number that fired an alert; undefined for an inactivity, and for a value that is no number. */
function numberOf({ reason, variables }: Firing): number | undefined {
  const value = Number(Object(variables).sensor_data_value ?? Number.NaN);
  return reason === 'inactivity' || Number.isNaN(value) ? undefined : value;
}

/** Alerts of one rule, the worst value first. Empty unless the rule compares with one limit. */
function beyondLimit(alerts: readonly Alert[]): { alert: Alert; value: number }[] {
  const expression = alerts[0]?.latest.expression ?? '';
  if (alerts.some(({ latest }) => latest.expression !== expression)) return [];
  const { kind } = read({ expression, inactivity: '', hold: '', resolveExpression: '', keepFiringFor: '' });
  if (kind !== 'above' && kind !== 'below') return [];
  const sign = kind === 'above' ? 1 : -1;
  const valued = alerts.flatMap((alert) => {
    const value = numberOf(alert.latest);
    return value === undefined ? [] : [{ alert, value }];
  });
  return valued.sort((a, b) => sign * (b.value - a.value));
}

export function worstOf(alerts: readonly Alert[]): { alert: Alert; value: number } | undefined {
  return beyondLimit(alerts)[0];
}

/** Unacknowledged alerts first; each part with the worst value first. */
function worstFirst(alerts: Alert[]): Alert[] {
  const rank = new Map(beyondLimit(alerts).map(({ alert }, at) => [alert, at]));
  const rankOf = (alert: Alert) => (alert.latest.acknowledged ? alerts.length : 0) + (rank.get(alert) ?? 0);
  return [...alerts].sort((a, b) => rankOf(a) - rankOf(b));
}
