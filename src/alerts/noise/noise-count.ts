import { medianOf } from '../../platform/median-of';

export interface ReportedEpisode {
  /** Until the acknowledgement; null without one. */
  acknowledgedAfterMs: number | null;
  /** Null while it lasts. */
  durationMs: number | null;
}

export interface NoiseNumbers {
  episodes: number;
  firings: number;
  deliveries: number;
  atNight: number;
  acknowledged: number;
  medianToAcknowledgeMs: number | null;
  medianDurationMs: number | null;
  endedAlone: number;
  /** Ended episodes by `DURATION_BOUNDS`; the last number is of longer ones. */
  durations: number[];
}

/** In seconds. */
export const DURATION_BOUNDS = [60, 300, 900, 3_600, 21_600, 86_400] as const;
const ALONE_MS = 300_000;

/** Counts the alerts of a subject, and each message about them once. */
export class NoiseCount {
  firings = 0;
  private episodes = 0;
  private deliveries = 0;
  private atNight = 0;
  private endedAlone = 0;
  private readonly waitsMs: number[] = [];
  private readonly durationsMs: number[] = [];
  private readonly digests = new Set<number>();

  get size(): number {
    return this.waitsMs.length + this.durationsMs.length + this.digests.size;
  }

  addEpisode({ acknowledgedAfterMs, durationMs }: ReportedEpisode): void {
    this.episodes += 1;
    if (acknowledgedAfterMs !== null) this.waitsMs.push(acknowledgedAfterMs);
    if (durationMs === null) return;
    this.durationsMs.push(durationMs);
    if (acknowledgedAfterMs === null && durationMs <= ALONE_MS) this.endedAlone += 1;
  }

  /** `digestId` is null for a message of its own. False if it was counted before. */
  addDelivery(digestId: number | null, isNight: boolean): boolean {
    if (digestId !== null) {
      if (this.digests.has(digestId)) return false;
      this.digests.add(digestId);
    }
    this.deliveries += 1;
    if (isNight) this.atNight += 1;
    return true;
  }

  get numbers(): NoiseNumbers {
    const { episodes, firings, deliveries, atNight, endedAlone, waitsMs, durationsMs } = this;
    const durations = [...DURATION_BOUNDS, 0].map(() => 0);
    for (const ms of durationsMs) {
      const place = DURATION_BOUNDS.findIndex((seconds) => ms < seconds * 1000);
      const at = place < 0 ? DURATION_BOUNDS.length : place;
      durations[at] = (durations[at] ?? 0) + 1;
    }
    return {
      ...{ episodes, firings, deliveries, atNight, acknowledged: waitsMs.length, endedAlone, durations },
      ...{ medianToAcknowledgeMs: medianOf(waitsMs), medianDurationMs: medianOf(durationsMs) },
    };
  }
}
