import type { ArrivedDelivery } from '../../notifications';
import type { Steps } from '../../platform/steps';
import type { Period } from '../../points';
import { isNight } from '../backtests/backtest-deliveries';
import { NoiseCount, type NoiseNumbers, type ReportedEpisode } from './noise-count';

export type NoiseSubject = 'trigger' | 'sensor' | 'notification';

export interface ReportedFiring {
  id: number;
  ownerId: number;
  /** Id of the first firing. */
  episodeId: number;
  triggerId: number;
  sensorId: number;
  firedMs: number;
  /** Null while the episode lasts; only the first firing has it, as the acknowledgement. */
  endedMs: number | null;
  acknowledgedMs: number | null;
}

export interface NoiseDay extends Period {
  episodes: number;
  deliveries: number;
  atNight: number;
}

export interface NoiseRow extends NoiseNumbers {
  id: number;
}

interface Counted {
  count: NoiseCount;
  /** By notification: episodes of which something arrived. */
  episodes: Set<number>;
}

const FIRINGS_PER_STEP = 100;

/** Counts firings of a range and what arrived about them. No I/O. */
export class NoiseReport {
  readonly days: NoiseDay[];
  private readonly all = new NoiseCount();
  private readonly subjects = new Map<number, Counted>();
  /** Episodes that began in the range; kept by notification only. */
  private readonly episodes = new Map<number, ReportedEpisode>();
  private day = 0;

  constructor(
    private readonly by: NoiseSubject,
    private readonly timezone: string,
    days: readonly Period[],
  ) {
    this.days = days.map((day) => ({ ...day, episodes: 0, deliveries: 0, atNight: 0 }));
  }

  /** About how many numbers are in memory. */
  get size(): number {
    let size = this.all.size + this.episodes.size;
    for (const { count, episodes } of this.subjects.values()) size += count.size + episodes.size + 20;
    return size;
  }

  get summary(): NoiseNumbers {
    return this.all.numbers;
  }

  /** The noisiest first. */
  get rows(): NoiseRow[] {
    const rows = [...this.subjects].map(([id, { count }]) => ({ id, ...count.numbers }));
    return rows.sort((a, b) => b.deliveries - a.deliveries || b.episodes - a.episodes || a.id - b.id);
  }

  /** Takes firings in order of time. */
  *add(firings: readonly ReportedFiring[], arrived: ReadonlyMap<number, readonly ArrivedDelivery[]>): Steps<void> {
    for (const [index, firing] of firings.entries()) {
      if (index % FIRINGS_PER_STEP === 0) yield;
      this.addFiring(firing, arrived.get(firing.id) ?? []);
    }
  }

  private addFiring(firing: ReportedFiring, arrived: readonly ArrivedDelivery[]): void {
    const day = this.dayAt(firing.firedMs);
    const isBySource = this.by !== 'notification';
    const counts = isBySource ? [this.all, this.subjectOf(this.idOf(firing)).count] : [this.all];
    for (const count of counts) count.firings += 1;
    if (firing.id === firing.episodeId) {
      const episode = episodeOf(firing);
      for (const count of counts) count.addEpisode(episode);
      if (!isBySource) this.episodes.set(firing.id, episode);
      if (day) day.episodes += 1;
    }
    if (!isBySource) this.addToNotifications(firing, arrived);
    for (const delivery of arrived) {
      const about = isBySource ? counts : [this.all, this.subjectOf(delivery.notificationId).count];
      this.addDelivery(delivery, about, day);
    }
  }

  private addDelivery({ digestId, sentMs }: ArrivedDelivery, counts: readonly NoiseCount[], day?: NoiseDay): void {
    const atNight = isNight(sentMs, this.timezone);
    const [isNew] = counts.map((count) => count.addDelivery(digestId, atNight));
    if (!isNew || !day) return;
    day.deliveries += 1;
    if (atNight) day.atNight += 1;
  }

  private addToNotifications({ episodeId }: ReportedFiring, arrived: readonly ArrivedDelivery[]): void {
    const reached = new Set(arrived.map(({ notificationId }) => notificationId));
    for (const id of reached) {
      const { count, episodes } = this.subjectOf(id);
      count.firings += 1;
      const episode = this.episodes.get(episodeId);
      if (!episode || episodes.has(episodeId)) continue;
      episodes.add(episodeId);
      count.addEpisode(episode);
    }
  }

  private idOf({ triggerId, sensorId }: ReportedFiring): number {
    return this.by === 'sensor' ? sensorId : triggerId;
  }

  private subjectOf(id: number): Counted {
    const known = this.subjects.get(id) ?? { count: new NoiseCount(), episodes: new Set<number>() };
    this.subjects.set(id, known);
    return known;
  }

  private dayAt(ms: number): NoiseDay | undefined {
    while ((this.days[this.day]?.endMs ?? Number.POSITIVE_INFINITY) <= ms) this.day += 1;
    return this.days[this.day];
  }
}

function episodeOf({ firedMs, endedMs, acknowledgedMs }: ReportedFiring): ReportedEpisode {
  return {
    acknowledgedAfterMs: acknowledgedMs === null ? null : acknowledgedMs - firedMs,
    durationMs: endedMs === null ? null : endedMs - firedMs,
  };
}
