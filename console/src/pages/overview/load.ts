import { all, api, ask, type Records } from '../../api';
import { nameOf } from '../../destination';
import { said } from '../../language';
import { compareUrgency, type Firing } from '../alerts/load';
import { countOf } from '../deliveries/waiting';
import { UNCONFIRMED } from '../notifications/load';
import { findIds, loadLatest } from '../sensors/load';

export type { Firing };

/** Number of firing alerts that the overview reads; it shows the most severe of them. */
const MOST_FIRINGS = 1000;

/** The first firing of each open alert, the most urgent first. */
export async function loadFirings(signal: AbortSignal): Promise<{ firings: readonly Firing[]; total: number }> {
  const query = {
    state: 'firing' as const,
    repeats: false,
    sort: 'DESC' as const,
    per_page: MOST_FIRINGS,
    total: true,
  };
  const { firings, total = firings.length } = await ask(api.get('/firings', { params: { query }, signal }));
  return { firings: firings.sort(compareUrgency), total };
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
  /** True if it is not broken, but deliveries wait. */
  isWaiting: boolean;
}

/** What does not work, and whether there is anything that could. */
export interface Failures {
  failures: readonly Failure[];
  /** False if the user has no notification, so that alerts reach nobody. */
  hasNotifications: boolean;
  /** Why nothing at all is evaluated or sent. */
  standstill: Standstill | undefined;
}

type Notification = Records['NotificationView'];
type Standstill = Records['StandstillView'];

/** Why a notification does not work; null if it does. */
function whyFailing({
  enabled,
  disabled_reason,
  confirmed,
  waiting,
  last_delivery: last,
}: Notification): string | null {
  if (!enabled) return disabled_reason === 'failing' ? (last?.error ?? '') : null;
  if (waiting) return `${waiting.reason} · ${countOf(waiting)}`;
  if (!confirmed) return said(UNCONFIRMED);
  // What failed before the address was confirmed does not fail any more.
  return last && last.status !== 'delivered' && last.error !== UNCONFIRMED && last.error !== '' ? last.error : null;
}

/**
 * Notifications whose last delivery failed, of which deliveries wait, which are not confirmed or were disabled, and MQTT
 * sources with problems.
 */
export async function loadFailures(): Promise<Failures> {
  let standstill: Standstill | undefined;
  const [notifications, sources] = await Promise.all([
    all(async (query) => {
      const page = await ask(api.get('/notifications', { params: { query } }));
      standstill = page.standstill;
      return page.notifications;
    }),
    all(async (query) => (await ask(api.get('/mqtt_sources', { params: { query } }))).mqtt_sources),
  ]);
  const broken = sources.filter(
    ({ enabled, state, last_error }) => enabled && (state === 'failed' || last_error !== ''),
  );
  const failing = notifications.flatMap((one): Failure[] => {
    const why = whyFailing(one);
    if (why === null) return [];
    const about = { name: nameOf(one), path: `/notifications/${one.id}`, why };
    return [{ ...about, since: one.last_delivery?.date ?? null, isWaiting: one.enabled && one.waiting !== null }];
  });
  const failures = [
    ...failing,
    ...broken.map(({ id, name, last_error, last_message }) => ({
      name,
      path: `/sources/${id}`,
      why: last_error,
      since: last_message,
      isWaiting: false,
    })),
  ];
  return { failures, hasNotifications: notifications.length > 0, standstill };
}

/** Why nothing at all is evaluated or sent; undefined while all works. */
export async function loadStandstill(signal: AbortSignal): Promise<Standstill | undefined> {
  return (await ask(api.get('/notifications', { params: { query: { per_page: 1 } }, signal }))).standstill;
}
