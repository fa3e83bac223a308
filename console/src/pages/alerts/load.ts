import { api, ask, type Records } from '../../api';
import { useFirings } from '../../firing-stream';
import { type PlainText, t } from '../../language';
import { useResource } from '../../use-resource';
import { sensorOf, triggerOf } from '../deliveries/summary';
import type { Names } from '../names';

export type Firing = Records['FiringView'];
export type State = 'firing' | 'resolved' | 'all';

/** An episode: its first firing that is listed, and the latest one, whose value is shown. */
export interface Alert {
  id: string;
  first: Firing;
  latest: Firing;
}

/** The filters in the address of the page. */
export interface AlertFilter {
  state: State;
  severity: Records['Severity'] | undefined;
  trigger: string | undefined;
  /** Only alerts of this sensor. */
  sensor?: string;
  search: string;
  page: number;
}

/** Maximum number of open alerts on the page, which are all shown at once, and of ended ones. */
export const [MOST_OPEN, PAGE_SIZE] = [1_000, 25];

export const SEVERITY_NAMES: Record<Records['Severity'], PlainText> = {
  critical: 'critical',
  warning: 'warning',
  info: 'info',
};

/** The alerts that match, updated at once. All open ones, but a page of others. */
export function useAlerts(filter: AlertFilter) {
  const { state, severity, trigger, sensor, search, page } = filter;
  const isOpen = state === 'firing';
  const alerts = useResource(
    `alerts ${JSON.stringify(filter)}`,
    async (signal) => {
      const query = {
        ...(state !== 'all' && { state }),
        ...(severity && { severity }),
        ...(trigger && { trigger_id: trigger }),
        ...(sensor && { sensor_id: sensor }),
        ...(search && { search }),
        ...{ sort: 'DESC' as const, page: isOpen ? 0 : page, per_page: isOpen ? MOST_OPEN : PAGE_SIZE, total: true },
      };
      const { firings, total = 0 } = await ask(api.get('/firings', { params: { query }, signal }));
      return { alerts: episodesOf(firings), count: firings.length, total };
    },
    { everyMs: 10_000 },
  );
  useFirings(alerts.reload);
  return alerts;
}

/** One alert for each episode, in the order of their latest firings. The firings begin with the latest. */
function episodesOf(firings: readonly Firing[]): Alert[] {
  const alerts = new Map<string, Alert>();
  for (const firing of firings) {
    const known = alerts.get(firing.episode);
    alerts.set(firing.episode, { id: firing.episode, first: firing, latest: known?.latest ?? firing });
  }
  return [...alerts.values()];
}

/** What alerts are grouped by: nothing, a property of theirs, or a metatag of their sensor as `tag:floor`. */
export type Grouping = '' | 'trigger' | 'sensor' | 'severity' | `tag:${string}`;

export interface AlertGroup {
  name: string;
  alerts: Alert[];
}

/** The values of metatags of sensors, by their ids. */
export type Tags = ReadonlyMap<string, Readonly<Record<string, readonly unknown[]>>>;

/** The metatags of all sensors that the user can see. */
export async function loadTags(signal: AbortSignal): Promise<Tags> {
  const query = { sensor_owner: 'all' as const, per_page: 1_000 };
  const { sensors } = await ask(api.get('/sensors/metatags', { params: { query }, signal }));
  return new Map(sensors.map(({ id, metatags = {} }) => [id, metatags]));
}

/** The groups: severities by urgency, all others by their latest alert. */
export function groupsOf(alerts: readonly Alert[], by: Grouping, names: Names, tags: Tags): AlertGroup[] {
  const groups = new Map<string, AlertGroup>();
  for (const alert of alerts) {
    const [key, name] = keyOf(alert.latest, by, names, tags);
    const group = groups.get(key) ?? { name, alerts: [] };
    group.alerts.push(alert);
    groups.set(key, group);
  }
  const urgency = Object.keys(SEVERITY_NAMES);
  const entries = [...groups];
  if (by === 'severity') entries.sort(([a], [b]) => urgency.indexOf(a) - urgency.indexOf(b));
  return entries.map(([, group]) => group);
}

function keyOf(firing: Firing, by: Grouping, names: Names, tags: Tags): [key: string, name: string] {
  const { sensor_id, trigger_id, severity } = firing;
  if (by === 'trigger') return [trigger_id, triggerOf(trigger_id, names)];
  if (by === 'sensor') return [sensor_id, sensorOf(sensor_id, names)];
  if (by === 'severity') return [severity, t(SEVERITY_NAMES[severity])];
  const name = by.slice('tag:'.length);
  const values = tags.get(sensor_id)?.[name]?.map(String).join(', ');
  return values ? [values, `${name}: ${values}`] : ['', t('without {name}', { name })];
}
