import { all, api, ask, type Records } from '../../api';
import { nameOf } from '../../destination';
import { findIds, loadLatest } from '../sensors/load';

export type Firing = Records['FiringView'];

/** Number of firing alerts that the overview reads; it shows the most severe of them. */
const MOST_FIRINGS = 1000;
const RANKS: Readonly<Record<Firing['severity'], number>> = { critical: 0, warning: 1, info: 2 };

/** The firing alerts: those that no user has acknowledged come first, then the most severe, then the newest. */
export async function loadFirings(signal: AbortSignal): Promise<{ firings: readonly Firing[]; total: number }> {
  const query = { state: 'firing' as const, sort: 'DESC' as const, per_page: MOST_FIRINGS, total: true };
  const { firings, total = firings.length } = await ask(api.get('/firings', { params: { query }, signal }));
  const rankOf = ({ acknowledged, severity }: Firing) => (acknowledged ? 10 : 0) + RANKS[severity];
  return { firings: firings.sort((a, b) => rankOf(a) - rankOf(b) || b.date - a.date), total };
}

/** A sensor without data for longer than expected, and the date of its last point if there is one. */
export interface Quiet {
  id: string;
  since: number | undefined;
}

/** The sensors without data for longer than expected; the latest to stop come first. */
export async function loadQuiet(signal: AbortSignal): Promise<readonly Quiet[]> {
  const ids = [...(await findIds({ filter: {}, state: 'silent' }))];
  const latest = await loadLatest(ids, signal);
  return ids.map((id) => ({ id, since: latest.get(id)?.date })).sort((a, b) => (b.since ?? 0) - (a.since ?? 0));
}

/** Something that does not work: its name, the path of its page, and why. */
export interface Failure {
  name: string;
  path: string;
  why: string;
  since: number | null;
}

/** Notifications whose last delivery failed or that were disabled, and MQTT sources with problems. */
export async function loadFailures(): Promise<Failure[]> {
  const [notifications, sources] = await Promise.all([
    all(async (query) => (await ask(api.get('/notifications', { params: { query } }))).notifications),
    all(async (query) => (await ask(api.get('/mqtt_sources', { params: { query } }))).mqtt_sources),
  ]);
  const failing = notifications.filter(({ enabled, disabled_reason, last_delivery: last }) =>
    enabled ? last !== null && last.status !== 'delivered' && last.error !== '' : disabled_reason === 'failing',
  );
  const broken = sources.filter(
    ({ enabled, state, last_error }) => enabled && (state === 'failed' || last_error !== ''),
  );
  return [
    ...failing.map((one) => ({
      name: nameOf(one),
      path: `/notifications/${one.id}`,
      why: one.last_delivery?.error ?? '',
      since: one.last_delivery?.date ?? null,
    })),
    ...broken.map(({ id, name, last_error, last_message }) => ({
      name,
      path: `/sources/${id}`,
      why: last_error,
      since: last_message,
    })),
  ];
}
