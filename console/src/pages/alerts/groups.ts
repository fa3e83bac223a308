import { api, ask } from '../../api';
import { t } from '../../language';
import { sensorOf, triggerOf } from '../deliveries/summary';
import type { Names } from '../names';
import type { Alert, Firing } from './load';
import { worstFirst } from './worst';

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
  for (const group of groups.values())
    if (by === 'trigger') group.alerts = worstFirst(group.alerts, ({ latest }) => latest);
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
