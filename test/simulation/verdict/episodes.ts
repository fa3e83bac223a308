import type { Commit } from '../database/simulated-database';
import type { Row } from '../database/sql-syntax';
import type { History, LateNotification, Link } from '../history';
import { added, nameOf, written } from './commits';
import { Notified } from './notified';

/** An episode as the rows of its firings say. */
interface Seen {
  first: Row;
  isAnnounced: boolean;
  endedMs: number | null;
}

const PREFIXES = { expression: 'episode', inactivity: 'inactivity_episode' } as const;

/**
 * Each firing belongs to the one episode of its sensor trigger and cause that lasts; it ends once, in the commit that ends
 * it in the sensor trigger or disconnects that; and then each notification gets one delivery, if the trigger wants that and nothing is muted.
 */
export function judgeEpisodes(history: History): string[] {
  const notified = new Notified(history);
  return history.links.flatMap((link) => [
    ...judgeLink(history, link, 'expression', notified),
    ...judgeLink(history, link, 'inactivity', notified),
  ]);
}

function judgeLink({ commits }: History, link: Link, cause: keyof typeof PREFIXES, notified: Notified): string[] {
  const faults: string[] = [];
  const { sensorTriggerId } = link;
  let lasting: Seen | null = null;
  for (const [index, commit] of commits.entries()) {
    const isOwn = (row: Row) => row.sensor_trigger_id === sensorTriggerId && row.reason === cause;
    const { whys, ended, after } = follow(lasting, written(commit, 'firings').filter(isOwn), added(commit, 'firings'));
    lasting = after;
    const state = written(commit, 'sensor_triggers').find((row) => row.id === sensorTriggerId);
    const stored = state?.[`${PREFIXES[cause]}_ms`];
    if (state?.active === 1 && stored !== (lasting?.first.fired_ms ?? null)) {
      whys.push(`the sensor trigger says ${stored}`);
    }
    if (lasting && wasDisconnected(commit, sensorTriggerId)) whys.push('is left open by the disconnection');
    const how = howEnded(commit, sensorTriggerId);
    for (const { first } of ended) {
      const by = written(commit, 'firings').find(({ id }) => id === first.id)?.resolved_by;
      if (by !== how) whys.push(`ended by ${by}, not by ${how}`);
    }
    faults.push(
      ...whys.map((why) => `${cause} episode of sensor trigger ${sensorTriggerId}: ${why} (${nameOf(commit)})`),
    );
    const late = (firingId: unknown) => link.late.filter(({ id }) => notified.isNotified(index, firingId, id));
    faults.push(...judgeEnds(commit, link, { cause, ended, late }));
  }
  return faults;
}

/** What the firings that a commit wrote, of one sensor trigger and cause, make of the episode that lasts. */
function follow(before: Seen | null, rows: readonly Row[], all: readonly Row[]) {
  const whys: string[] = [];
  const ended: Seen[] = [];
  const first = rows.find((row) => row.id === before?.first.id);
  let after = before;
  const fired = all.filter((row) => rows.some(({ id }) => id === row.id));
  if (before && first?.is_lasting === 0) {
    // It may have fired again, and be announced by that, in the pass in which it ended.
    const isAnnounced = fired.some((row) => row.episode_id === before.first.id && row.muted === 0);
    ended.push({ ...before, isAnnounced: before.isAnnounced || isAnnounced, endedMs: Number(first.ended_ms) });
    after = null;
  }
  for (const firing of fired) {
    const isAnnounced = firing.muted === 0;
    if (firing.episode_id !== null) {
      if (before?.first.id !== firing.episode_id) whys.push(`firing ${firing.id} belongs to another`);
      if (after) after = { ...after, isAnnounced: after.isAnnounced || isAnnounced };
      continue;
    }
    if (after) whys.push(`began again with firing ${firing.id} while it lasts`);
    const seen: Seen = { first: firing, isAnnounced, endedMs: null };
    if (firing.is_lasting === 0) ended.push({ ...seen, endedMs: Number(firing.ended_ms) });
    else after = seen;
  }
  return { whys, ended, after };
}

interface Ends {
  cause: string;
  ended: readonly Seen[];
  /** The notifications that waited for the episode with this first firing, and have got one of its firings. */
  late: (firingId: unknown) => LateNotification[];
}

function judgeEnds(commit: Commit, link: Link, { cause, ended, late }: Ends): string[] {
  const resolved = added(commit, 'deliveries').filter((row) => row.kind === 'end');
  const firings = new Map(written(commit, 'firings').map((row) => [row.id, row]));
  const own = resolved.filter((row) => {
    const firing = firings.get(row.firing_id ?? null);
    return firing?.sensor_trigger_id === link.sensorTriggerId && firing.reason === cause;
  });
  const faults = ended.flatMap(({ first, isAnnounced, endedMs }) => {
    const isMuted = (endedMs ?? 0) < (link.mutedUntilMs ?? 0);
    const all = [...link.notificationIds, ...late(first.id).map(({ id }) => id)].sort();
    const expected = link.rule.notifyResolved && isAnnounced && !isMuted ? all : [];
    const reached = own.filter((row) => row.firing_id === first.id).map((row) => Number(row.notification_id));
    if (String(reached.sort()) === String(expected)) return [];
    return [`the end of firing ${first.id} has deliveries to ${reached}, not to ${expected} (${nameOf(commit)})`];
  });
  const known = new Set(ended.map(({ first }) => first.id));
  const strays = own.filter((row) => !known.has(row.firing_id ?? null));
  if (strays.length > 0) faults.push(`${strays.length} deliveries of an end without one (${nameOf(commit)})`);
  return faults;
}

/** What ends an episode in this commit: API processes only end them by hand, and workers by data or disconnections. */
function howEnded(commit: Commit, sensorTriggerId: number): 'data' | 'edit' | 'user' {
  if (wasDisconnected(commit, sensorTriggerId)) return 'edit';
  return commit.owner.startsWith('api') ? 'user' : 'data';
}

function wasDisconnected({ changes }: Commit, sensorTriggerId: number): boolean {
  return changes.some(
    ({ table, before, after }) => table === 'sensor_triggers' && !after && before?.id === sensorTriggerId,
  );
}

/** To each notification the end of an episode goes out after all deliveries of its firings have ended. */
export function judgeResolved({ rows, requests, commits }: History): string[] {
  const endedAt = new Map<unknown, number>();
  for (const commit of commits) {
    for (const row of written(commit, 'deliveries')) {
      if (row.status !== 'pending' && !endedAt.has(row.id)) endedAt.set(row.id, commit.atMs);
    }
  }
  const episodeOf = new Map(rows('firings').map((row) => [row.id, row.episode_id ?? row.id]));
  const deliveries = rows('deliveries').filter((row) => row.firing_id !== null);
  return deliveries
    .filter((row) => row.kind === 'end')
    .flatMap((end) => {
      const sentMs = requests.find(({ deliveryId }) => deliveryId === end.id)?.atMs ?? Number.POSITIVE_INFINITY;
      const late = deliveries.filter(
        (row) =>
          row.kind === 'firing' &&
          row.notification_id === end.notification_id &&
          episodeOf.get(row.firing_id ?? null) === end.firing_id &&
          (endedAt.get(row.id) ?? Number.POSITIVE_INFINITY) > sentMs,
      );
      return late.map((row) => `delivery ${end.id} of an end was sent before delivery ${row.id} of its firing ended`);
    });
}
