import { api, ask, type Records } from '../../api';
import { useFirings } from '../../firing-stream';
import { SEVERITIES } from '../../ui/severity';
import { useResource } from '../../use-resource';

export type Firing = Records['FiringView'];
export type State = 'firing' | 'unacknowledged' | 'resolved' | 'all';

/** An episode: its first firing that is listed, and the latest one, whose value is shown. */
export interface Alert {
  id: string;
  first: Firing;
  latest: Firing;
  /** The open alerts that it holds. */
  behind: Alert[];
}

/** The filters in the address of the page. */
export interface AlertFilter {
  state: State;
  severity?: Records['Severity'] | undefined;
  trigger?: string | undefined;
  group?: string | undefined;
  sensor?: string;
  search?: string;
  /** Only alerts that fired then: the latest seconds, or between two dates in unix seconds. */
  period?: { span: number } | { from: number; to: number } | undefined;
  page?: number;
}

/** Maximum number of open alerts on the page, which are all shown at once, and of ended ones. */
export const [MOST_OPEN, PAGE_SIZE] = [1_000, 25];

/** True if a page of the alerts in this state has open ones only. */
export function isOpenState(state: State): boolean {
  return state === 'firing' || state === 'unacknowledged';
}

/** The alerts that match, updated at once: all open ones, the most urgent first, or a page of others. */
export function useAlerts(filter: AlertFilter) {
  const alerts = useResource(`alerts ${JSON.stringify(filter)}`, (signal) => loadAlerts(filter, signal), {
    everyMs: 10_000,
  });
  useFirings(alerts.reload);
  return alerts;
}

async function loadAlerts(filter: AlertFilter, signal: AbortSignal) {
  const query = queryOf(filter);
  const read = async (more: Pick<AlertFilter, 'severity'> = {}) =>
    ask(api.get('/firings', { params: { query: { ...query, ...more } }, signal }));
  const { firings, total = 0 } = await read();
  const isOpen = isOpenState(filter.state);
  if (!isOpen) return { alerts: episodesOf(firings), count: firings.length, total };
  // The latest of very many alerts may all be less severe.
  const isCut = total > firings.length && filter.severity === undefined;
  const critical = isCut ? (await read({ severity: 'critical' })).firings : [];
  const known = new Set(critical.map(({ id }) => id));
  const all = [...critical, ...firings.filter(({ id }) => !known.has(id))];
  const alerts = folded(episodesOf(all).sort((a, b) => compareUrgency(a.latest, b.latest)));
  return { alerts, count: all.length, total };
}

function queryOf(filter: AlertFilter) {
  const paging = isOpenState(filter.state)
    ? { page: 0, per_page: MOST_OPEN }
    : { page: filter.page ?? 0, per_page: PAGE_SIZE };
  return { ...filtersOf(filter), ...paging, total: true };
}

/** The filters in the API's form, the latest first. */
export function filtersOf({ state, severity, trigger, group, sensor, search, period }: AlertFilter) {
  const since = period && 'span' in period ? { from: Date.now() / 1000 - period.span, to: undefined } : period;
  return {
    ...(isOpenState(state) ? { state: 'firing' as const } : state === 'resolved' && { state }),
    ...(state === 'unacknowledged' && { acknowledged: false }),
    ...(severity && { severity }),
    ...(trigger && { trigger_id: trigger }),
    ...(group && { group_id: group }),
    ...(sensor && { sensor_id: sensor }),
    ...(search && { search }),
    ...(since && { start_date: since.from }),
    ...(since?.to && { end_date: since.to }),
    sort: 'DESC' as const,
  };
}

/** One alert for each episode, in the order of their latest firings. The firings begin with the latest. */
export function episodesOf(firings: readonly Firing[]): Alert[] {
  const alerts = new Map<string, Alert>();
  for (const firing of firings) {
    const known = alerts.get(firing.episode);
    alerts.set(firing.episode, { id: firing.episode, first: firing, latest: known?.latest ?? firing, behind: [] });
  }
  return [...alerts.values()];
}

/** Puts held alerts behind their holder, or behind the alert that holds the holder. */
function folded(alerts: readonly Alert[]): Alert[] {
  const known = new Map(alerts.map((alert) => [alert.id, alert]));
  const holderOf = (alert: Alert | undefined) => known.get(alert?.latest.held_by?.firing_id ?? '');
  return alerts.filter((alert) => {
    const holder = holderOf(alert);
    const first = holderOf(holder) ?? holder;
    // Edits may leave alerts that hold each other.
    if (!first || first === alert || holderOf(first)) return true;
    first.behind.push(alert);
    return false;
  });
}

/** Orders firings: unacknowledged ones first, then by severity, then the latest first. */
export function compareUrgency(a: Firing, b: Firing): number {
  const rankOf = ({ severity, acknowledged }: Firing) =>
    SEVERITIES.indexOf(severity) + (acknowledged ? SEVERITIES.length : 0);
  return rankOf(a) - rankOf(b) || b.date - a.date;
}
