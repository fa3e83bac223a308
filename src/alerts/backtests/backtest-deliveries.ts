import { localTimeIn } from '../../language/local-time';
import type { EpisodeDelivery } from '../rules/episode-plan';

export interface PlannedDelivery extends EpisodeDelivery {
  sensorId: number;
  /** Renders the text when it is listed. */
  text: () => string;
}

export interface BacktestDelivery {
  notificationId: number;
  /** Null for a digest. */
  sensorId: number | null;
  dateMs: number;
  kind: EpisodeDelivery['kind'] | 'digest';
  text: string;
}

export interface DeliveryLimits {
  /** Deliveries of a notification in a minute: more of them go out as one digest. 0 means no limit. */
  digestAfter: number;
  /** Notifications with digests. */
  digested: ReadonlySet<number>;
  /** Whose night is counted. */
  timezone: string;
  listed: number;
}

const MINUTE_MS = 60_000;

interface Window {
  startedMs: number;
  used: number;
  beyond: number;
}

/** Sends planned deliveries: several become one digest, as in `src/notifications/delivery/digests.ts`. */
export class BacktestDeliveries {
  readonly listed: BacktestDelivery[] = [];
  readonly byNotification = new Map<number, number>();
  total = 0;
  atNight = 0;
  private planned: PlannedDelivery[] = [];
  private readonly windows = new Map<number, Window>();

  constructor(private readonly limits: DeliveryLimits) {}

  add(deliveries: readonly PlannedDelivery[]): void {
    this.planned.push(...deliveries);
  }

  /** Sends what is planned until then. Nothing may be planned before that time later. */
  settle(untilMs: number): void {
    const due = this.planned.filter(({ atMs }) => atMs <= untilMs).sort(byTime);
    this.planned = this.planned.filter(({ atMs }) => atMs > untilMs);
    for (let from = 0; from < due.length; ) {
      const group = afterOneMute(due, from);
      const [first] = group;
      if (!first) break;
      this.closeWindows(first.atMs);
      if (group.length > 1) this.digest(first.notificationId, first.atMs, group.length);
      else this.send(first);
      from += group.length;
    }
    this.closeWindows(untilMs + 1);
  }

  private send(delivery: PlannedDelivery): void {
    const { notificationId, atMs, sensorId, kind, text } = delivery;
    if (this.isBeyond(notificationId, atMs)) return;
    this.list({ notificationId, sensorId, dateMs: atMs, kind }, text);
  }

  /** Charges the minute of the notification. */
  private isBeyond(notificationId: number, atMs: number): boolean {
    const { digestAfter, digested } = this.limits;
    if (digestAfter === 0 || !digested.has(notificationId)) return false;
    const window = this.windows.get(notificationId) ?? { startedMs: atMs, used: 0, beyond: 0 };
    this.windows.set(notificationId, window);
    window.used += 1;
    if (window.used <= digestAfter) return false;
    window.beyond += 1;
    return true;
  }

  private closeWindows(beforeMs: number): void {
    for (const [notificationId, { startedMs, beyond }] of this.windows) {
      const endMs = startedMs + MINUTE_MS;
      if (endMs >= beforeMs) continue;
      this.windows.delete(notificationId);
      if (beyond > 0) this.digest(notificationId, endMs, beyond);
    }
  }

  private digest(notificationId: number, dateMs: number, alerts: number): void {
    this.list({ notificationId, sensorId: null, dateMs, kind: 'digest' }, () => `${alerts} alerts`);
  }

  private list(delivery: Omit<BacktestDelivery, 'text'>, text: () => string): void {
    this.total += 1;
    if (isNight(delivery.dateMs, this.limits.timezone)) this.atNight += 1;
    const { notificationId } = delivery;
    this.byNotification.set(notificationId, (this.byNotification.get(notificationId) ?? 0) + 1);
    if (this.listed.length < this.limits.listed) this.listed.push({ ...delivery, text: text() });
  }
}

function byTime(a: PlannedDelivery, b: PlannedDelivery): number {
  const togetherFirst = Number(isGathered(b)) - Number(isGathered(a));
  return a.atMs - b.atMs || a.notificationId - b.notificationId || togetherFirst || a.sensorId - b.sensorId;
}

function isGathered({ afterMute, kind }: PlannedDelivery): boolean {
  return afterMute && kind !== 'resolved';
}

/** The delivery at this place, with all firings of its notification that the same end of a mute lets out. */
function afterOneMute(due: readonly PlannedDelivery[], from: number): readonly PlannedDelivery[] {
  const first = due[from];
  if (!first) return [];
  let to = from + 1;
  while (isGathered(first) && isTogether(first, due[to])) to += 1;
  return due.slice(from, to);

  function isTogether(one: PlannedDelivery, other: PlannedDelivery | undefined): boolean {
    return other?.atMs === one.atMs && other.notificationId === one.notificationId && isGathered(other);
  }
}

/** From 22 to 7. */
export function isNight(ms: number, timezone: string): boolean {
  const { time } = localTimeIn(timezone, ms);
  return time >= '22:00' || time < '07:00';
}
