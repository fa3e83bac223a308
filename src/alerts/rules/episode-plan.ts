import { deferral, type Mute, muteEndMs } from '../../edge/mute';
import { deliveryTimeMs, isDelivered } from './delivery-plan';

/** A notification that takes part in an episode after `afterS`. */
export interface Recipient {
  id: number;
  afterS: number;
}

export interface EpisodeDelivery {
  notificationId: number;
  kind: 'fired' | 'resolved' | 'escalation';
  atMs: number;
  /** A mute has held it back. */
  afterMute: boolean;
}

export interface EpisodeSetting {
  recipients: readonly Recipient[];
  notifyResolved: boolean;
  mutes: readonly Mute[];
  sensorId: number;
  triggerId: number;
}

/** Weekly mutes may follow each other permanently. */
const MOST_MUTES = 100;

/** Deliveries of one episode as the live platform makes them, in the order of what happens. No I/O. */
export class EpisodePlan {
  private sentMs: number | null = null;
  private readonly waiting: EpisodeDelivery[] = [];
  private readonly reached = new Set<number>();
  private isAnnounced = false;
  private isDeferred = false;

  constructor(
    private readonly setting: EpisodeSetting,
    private readonly beganMs: number,
  ) {}

  get waits(): number {
    return this.waiting.length;
  }

  /** Time of the first delivery, sent or waiting; null if there is none. */
  get firstMs(): number | null {
    if (this.sentMs !== null || this.waiting.length === 0) return this.sentMs;
    return Math.min(...this.waiting.map((delivery) => this.dueMs(delivery)));
  }

  onFiring(firedMs: number, isMuted: boolean): EpisodeDelivery[] {
    const { recipients, mutes, sensorId, triggerId } = this.setting;
    const { isAnnounced, isDeferred } = this;
    const moment = { sensorId, triggerId, atMs: firedMs };
    const deferred = isMuted ? deferral({ mutes, mutedUntilMs: null }, moment) : {};
    const firing = { firedMs, episodeMs: this.beganMs, isFirst: !isAnnounced, isDeferred, ...deferred };
    const delivers = isDelivered({ isMuted, ...deferred }, firing.isFirst);
    const now: EpisodeDelivery[] = [];
    for (const { id, afterS } of delivers ? recipients : []) {
      const atMs = deliveryTimeMs(firing, afterS);
      if (atMs === undefined) continue;
      const waits = atMs > firedMs;
      const kind = waits && afterS > 0 ? 'escalation' : 'fired';
      (waits ? this.waiting : now).push({ notificationId: id, kind, atMs, afterMute: isMuted });
    }
    this.isDeferred ||= isMuted && delivers;
    this.isAnnounced ||= !isMuted;
    return this.sent(now);
  }

  /** Those that waited, and are due before this time. */
  release(beforeMs: number): EpisodeDelivery[] {
    const due: EpisodeDelivery[] = [];
    for (const [index, delivery] of [...this.waiting.entries()].reverse()) {
      const atMs = this.dueMs(delivery);
      if (atMs >= beforeMs) continue;
      this.waiting.splice(index, 1);
      due.unshift({ ...delivery, atMs });
    }
    return this.sent(due);
  }

  /** An acknowledged episode does not escalate. */
  onAcknowledged(): void {
    this.waiting.length = 0;
  }

  onEnd(atMs: number): EpisodeDelivery[] {
    this.waiting.length = 0;
    const { recipients, notifyResolved } = this.setting;
    if (!notifyResolved) return [];
    const endMs = this.unmutedFrom(atMs);
    const owed = recipients.filter(({ id, afterS }) => this.reached.has(id) || (afterS === 0 && this.isAnnounced));
    return owed.map(({ id }) => ({ notificationId: id, kind: 'resolved', atMs: endMs, afterMute: endMs > atMs }));
  }

  private dueMs({ atMs, afterMute }: EpisodeDelivery): number {
    return afterMute ? this.unmutedFrom(atMs) : atMs;
  }

  /** When a delivery that looks at the mutes again goes out. */
  private unmutedFrom(dueMs: number): number {
    const { mutes, sensorId, triggerId } = this.setting;
    let atMs = dueMs;
    for (let count = 0; count < MOST_MUTES; count += 1) {
      const endMs = muteEndMs({ mutes, mutedUntilMs: null }, { sensorId, triggerId, atMs });
      if (endMs === atMs) return atMs;
      atMs = endMs;
    }
    return Number.MAX_SAFE_INTEGER;
  }

  private sent(deliveries: EpisodeDelivery[]): EpisodeDelivery[] {
    for (const { notificationId, atMs } of deliveries) {
      this.reached.add(notificationId);
      this.sentMs ??= atMs;
    }
    return deliveries;
  }
}
