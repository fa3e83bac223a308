import { BacktestAudience, type RecordedAcknowledgement } from '../../../src/alerts/backtests/backtest-audience';
import { BacktestPace } from '../../../src/alerts/backtests/backtest-pace';
import { BacktestRun } from '../../../src/alerts/backtests/backtest-run';
import { BacktestWindows } from '../../../src/alerts/backtests/backtest-windows';
import { CAUSES, type EpisodeCause } from '../../../src/alerts/rules/episode';
import type { ByteBudget } from '../../../src/fairness/byte-budget';
import type { DataPoint } from '../../../src/points';
import type { Row } from '../database/sql-syntax';
import type { History, Link } from '../history';
import { NOTIFICATION_TEXT, RESOLVED_TEXT, SELECTING_ID } from '../scenario';
import { added } from './commits';
import { firingsOf, type Known, knownOf, LAG_MS } from './known-points';

/** After a fault, until all that waited is decided. */
const AFTERMATH_MS = 90_000;
const MINUTE_MS = 60_000;

/** A firing, or the end of an episode, in the words of both sides. */
interface Moment {
  atMs: number;
  what: string;
  /** The first firing of its episode. */
  beganMs: number;
}

interface LiveMoment extends Moment {
  /** The firing; of an end, the first one. */
  firingId: number;
}

interface Planned {
  notificationId: number;
  kind: string;
  dueMs: number;
  text: string;
}

export interface ComparedBacktests {
  faults: string[];
  /** Sensor triggers with a delivery that was compared. */
  links: number;
  deliveries: number;
}

/**
 * A backtest on the stored points, with the recorded mutes and acknowledgements, plans the deliveries of each sensor
 * trigger. Those of the selector are left out: their connections come and go. The rest is compared up to the first moment
 * after which a backtest cannot know what happened.
 */
export async function compareBacktests(history: History): Promise<ComparedBacktests> {
  const all: ComparedBacktests = { faults: [], links: 0, deliveries: 0 };
  for (const link of history.links.filter(({ rule }) => rule.triggerId !== SELECTING_ID)) {
    const { faults, deliveries } = await compareLink(history, link);
    all.faults.push(...faults.map((why) => `backtest of sensor trigger ${link.sensorTriggerId}: ${why}`));
    all.links += deliveries > 0 ? 1 : 0;
    all.deliveries += deliveries;
  }
  return all;
}

async function compareLink(history: History, link: Link): Promise<{ faults: string[]; deliveries: number }> {
  const known = knownOf(history, link);
  const tried = await backtest(history, link, known);
  const faults: string[] = [];
  const pairs: [LiveMoment, Moment][] = [];
  let { untilMs } = known;
  for (const cause of CAUSES) {
    const [live, planned] = [liveMoments(history, link, cause), tried.moments(cause)];
    for (let at = 0; at < Math.max(live.length, planned.length); at += 1) {
      const [one, other] = [live[at], planned[at]];
      const atMs = Math.min(one?.atMs ?? Number.POSITIVE_INFINITY, other?.atMs ?? Number.POSITIVE_INFINITY);
      if (atMs >= untilMs) break;
      if (one && other && one.what === other.what && lagOf([one, other]) <= longestLag(history, atMs)) {
        pairs.push([one, other]);
        continue;
      }
      untilMs = atMs;
      if (!mayDiffer(history, link, atMs, { points: known.points, moments: [...live, ...planned] }))
        faults.push(`${cause}: live ${shown(one)}, in the backtest ${shown(other)}`);
      break;
    }
  }
  untilMs = Math.min(untilMs, ...closeTimes(history, link, pairs));
  const expected = liveDeliveries(history, pairs).filter(({ dueMs }) => dueMs < untilMs);
  const planned = tried.deliveries.filter(({ dueMs }) => dueMs < untilMs);
  const [a, b] = [expected, planned].map((list) => list.map(shownDelivery).sort());
  if (a?.join('\n') !== b?.join('\n')) faults.push(`delivered [${a?.join('; ')}], planned [${b?.join('; ')}]`);
  return { faults, deliveries: expected.length };
}

async function backtest(history: History, link: Link, { points: known, untilMs }: Known) {
  const { sensorId, rule, sinceMs, mutedUntilMs, notificationIds, late } = link;
  const points = known.filter(({ dateMs }) => dateMs < untilMs).map((point) => ({ ...point, sensorId }));
  const recipients = [...notificationIds.map((id) => ({ id, afterS: 0 })), ...late];
  const mute = { startMs: null, sensors: null, triggers: null, weekly: null, deliversAfter: false };
  const audience = new BacktestAudience({
    trigger: { triggerId: rule.triggerId, triggerName: '' },
    notifyResolved: rule.notifyResolved,
    resolvedText: RESOLVED_TEXT,
    mutes: mutedUntilMs === null ? [] : [{ ...mute, endMs: mutedUntilMs }],
    recipientsOf: () => recipients.map((one) => ({ ...one, text: NOTIFICATION_TEXT })),
    sensors: new Map(),
    acknowledge: acknowledgements(firingsOf(history, link), link),
    limits: { digestAfter: 0, digested: new Set(), timezone: 'UTC', listed: Number.POSITIVE_INFINITY },
  });
  const unlimited = Number.POSITIVE_INFINITY;
  const pace = new BacktestPace(unlimited, async () => undefined);
  const bounds = { steps: unlimited, episodes: unlimited, listed: { count: unlimited, newest: false } };
  const noWindows = new BacktestWindows(pace, {} as ByteBudget, 0); // no rule of a scenario has one
  const sensor = { id: sensorId, dataType: 'float', inactiveSinceMs: sinceMs };
  const run = new BacktestRun({ ...rule }, [sensor], sinceMs, bounds, pace, noWindows, audience);
  await run.pass({ points, untilMs: untilMs - 1 });
  const moments = (cause: EpisodeCause): Moment[] =>
    run.episodes.flatMap((episode) => {
      const { beganMs, endedMs } = episode;
      const own = run.firings.filter((firing) => firing.episode === episode && firing.reason === cause);
      const fired = own.map(({ dateMs, isMuted, value }) => ({ beganMs, atMs: dateMs, what: fires(isMuted, value) }));
      return [...fired, ...(own.length > 0 && endedMs !== null ? [{ beganMs, atMs: endedMs, what: 'end' }] : [])];
    });
  const deliveries = audience.deliveries.listed.map((one): Planned => ({ ...one, dueMs: one.dateMs }));
  return { moments, deliveries };
}

function acknowledgements(firings: readonly Row[], { sensorId }: Link): RecordedAcknowledgement[] {
  return firings
    .filter((row) => row.acknowledged_ms !== null)
    .map((row) => ({ sensorId, cause: row.reason as EpisodeCause, atMs: Number(row.acknowledged_ms) })) // no other is stored
    .sort((one, other) => one.atMs - other.atMs);
}

function fires(isMuted: boolean, value: unknown): string {
  return `${isMuted ? 'muted ' : ''}firing by ${value}`;
}

function liveMoments(history: History, link: Link, cause: EpisodeCause): LiveMoment[] {
  const own = firingsOf(history, link).filter((row) => row.reason === cause);
  const firsts = own.filter((row) => row.episode_id === null).sort((a, b) => Number(a.fired_ms) - Number(b.fired_ms));
  return firsts.flatMap((first): LiveMoment[] => {
    const beganMs = Number(first.fired_ms);
    const firings = own
      .filter((row) => (row.episode_id ?? row.id) === first.id)
      .sort((a, b) => Number(a.fired_ms) - Number(b.fired_ms))
      .map((row) => {
        const { sensor_data_value: value } = JSON.parse(String(row.variables));
        return { beganMs, firingId: Number(row.id), atMs: Number(row.fired_ms), what: fires(row.muted === 1, value) };
      });
    if (first.resolved_by !== 'data') return firings;
    return [...firings, { beganMs, firingId: Number(first.id), atMs: Number(first.ended_ms), what: 'end' }];
  });
}

/**
 * Whether the clocks of both sides may decide differently at this time: something became due just then, for one side before
 * and for the other after what happened; or a fault has delayed the live decisions.
 */
function mayDiffer(
  history: History,
  link: Link,
  atMs: number,
  { points, moments }: { points: readonly DataPoint[]; moments: readonly Moment[] },
): boolean {
  if (longestLag(history, atMs) > LAG_MS) return true;
  const { hold, keepFiringFor, repeat, inactivity } = link.rule;
  const afterPoints = [hold, keepFiringFor, inactivity ?? 0].filter((seconds) => seconds > 0);
  const afterFirings = [MINUTE_MS / 1000, repeat ?? 0, inactivity ?? 0].filter((seconds) => seconds > 0);
  const dues = [
    ...points.flatMap(({ dateMs }) => afterPoints.map((seconds) => dateMs + seconds * 1000)),
    ...moments.flatMap((moment) => afterFirings.map((seconds) => moment.atMs + seconds * 1000)),
    ...firingsOf(history, link).map((row) => Number(row.acknowledged_ms ?? 0)),
    link.mutedUntilMs ?? 0,
  ];
  return dues.some((dueMs) => Math.abs(dueMs - atMs) <= LAG_MS);
}

/** How much later a live decision may come: a fault delays it. */
function longestLag({ incidents, outages }: History, atMs: number): number {
  const isDelayed = [...incidents, ...outages].some(
    ({ fromMs, toMs }) => fromMs <= atMs + LAG_MS && toMs + AFTERMATH_MS >= atMs,
  );
  return isDelayed ? AFTERMATH_MS : LAG_MS;
}

function lagOf([live, tried]: readonly [Moment, Moment]): number {
  return Math.abs(live.atMs - tried.atMs);
}

/** When a notification joined an episode that, on one side alone, had fired again, ended or been acknowledged before. */
function closeTimes(history: History, link: Link, pairs: readonly [LiveMoment, Moment][]): number[] {
  const byUsers = firingsOf(history, link).flatMap((row) => [
    row.acknowledged_ms,
    row.resolved_by === 'user' ? row.ended_ms : null,
  ]);
  const moments = [
    ...pairs.map((pair) => pair.map(({ atMs }) => atMs)),
    ...byUsers.map((atMs) => [Number(atMs ?? 0), Number(atMs ?? 0)]),
  ];
  const joins = pairs.flatMap((pair) =>
    link.late.map(({ afterS }) => pair.map(({ beganMs }) => beganMs + afterS * 1000)),
  );
  const close = joins.filter((join) =>
    moments.some((moment) => {
      const [live, tried] = join.map((joinMs, side) => joinMs < (moment[side] ?? 0));
      return live !== tried;
    }),
  );
  return [...close.flatMap(([, tried]) => tried ?? []), ...cancelledLate(history, pairs)];
}

/** Escalations that were due, and waited for their receiver until the episode was over or acknowledged. */
function cancelledLate({ commits }: History, pairs: readonly [LiveMoment, Moment][]): number[] {
  return commits.flatMap(({ atMs, changes }) =>
    changes.flatMap(({ table, before, after }) => {
      if (table !== 'deliveries' || !before || after) return [];
      const [first, tried] = pairs.find(([{ firingId }]) => firingId === before.firing_id) ?? [];
      const joinedMs = joinOf(before, commits);
      return first && tried && joinedMs <= atMs ? [joinedMs - first.atMs + tried.atMs] : [];
    }),
  );
}

/** When a delivery that waits was due, at first. */
function joinOf({ id }: Row, commits: History['commits']): number {
  const [row] = commits.flatMap((commit) => added(commit, 'deliveries').filter((one) => one.id === id));
  return Number(row?.next_attempt_ms);
}

/** The deliveries of these moments, with their due times as if all had happened when they did in the backtest. */
function liveDeliveries({ commits, rows }: History, pairs: readonly [LiveMoment, Moment][]): Planned[] {
  const left = new Set(rows('deliveries').map(({ id }) => id));
  const firstOf = new Map(rows('firings').map((row) => [row.id, row.episode_id ?? row.id]));
  return commits
    .flatMap((commit) => added(commit, 'deliveries'))
    .filter((row) => left.has(row.id) && (row.kind === 'firing' || row.kind === 'end'))
    .flatMap((row): Planned[] => {
      const isEnd = row.kind === 'end';
      const firingId = Number(isEnd ? firstOf.get(row.firing_id) : row.firing_id);
      const pair = pairs.find(([live]) => live.firingId === firingId && (live.what === 'end') === isEnd);
      if (!pair) return [];
      const kind = isEnd ? 'resolved' : row.escalation === 1 ? 'escalation' : 'fired';
      const dueMs = Number(row.next_attempt_ms) - pair[0].atMs + pair[1].atMs;
      return [{ notificationId: Number(row.notification_id), kind, dueMs, text: String(row.text) }];
    });
}

function shown(moment: Moment | undefined): string {
  return moment ? `${moment.what} at ${moment.atMs}` : 'nothing';
}

function shownDelivery({ dueMs, kind, notificationId, text }: Planned): string {
  return `${dueMs} ${kind} to ${notificationId}: ${text}`;
}
