import type { Pool } from 'mysql2/promise';
import type { Clock } from '../platform/clock';
import type { AttemptOutcome } from '../rules/delivery-schedule';
import { findAlert } from './alerts';
import type { Attempt, AttemptResult, Lease } from './attempt';
import type { AttemptLog } from './attempt-log';
import { entryOf, type OpenChannels } from './channels';
import type { DeliveryLeases } from './delivery-leases';
import { findDigest } from './digest-contents';
import { toOutgoing } from './outgoing-delivery';

/** Makes the attempts of deliveries. Each is delivered at least once, always with the same id. */
export class DeliverySender {
  constructor(
    private readonly pool: Pool,
    private readonly leases: DeliveryLeases,
    private readonly channels: OpenChannels,
    private readonly log: AttemptLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes the attempt that is due. Calls `onSent` when no later attempt can overtake it, if the channel can determine
   * that. Safe to call twice, concurrently or later: only one call gets the lease on the row. Passing the receiver
   * saves time.
   */
  async attempt(
    deliveryId: number,
    { onSent, receiver }: { onSent?: () => void; receiver?: string | null } = {},
  ): Promise<AttemptResult | 'not-due' | 'parked' | 'postponed'> {
    const lease = await this.leases.lease(deliveryId, receiver);
    if (typeof lease === 'string') return lease;
    let attempt: Attempt | 'postponed' | undefined;
    try {
      if (!(await this.leases.charge(lease))) {
        attempt = 'postponed';
        return attempt;
      }
      attempt = await this.make(lease, onSent);
      return await this.log.record(lease, attempt);
    } finally {
      await this.leases.release(lease, attempt);
    }
  }

  /** Reason for the failure of the latest attempt, in a few words without addresses or values. */
  latestError(deliveryId: number): Promise<string> {
    return this.log.latestError(deliveryId);
  }

  private async make(lease: Lease, onSent?: () => void): Promise<Attempt> {
    const startedMs = this.clock.now();
    const started = performance.now();
    const outcome = await this.send(lease, onSent);
    return { outcome, startedMs, durationMs: Math.round(performance.now() - started) };
  }

  private async send(
    { row, whyNotSent, unsubscribeUrl, acknowledgeUrl }: Lease,
    onSent?: () => void,
  ): Promise<AttemptOutcome> {
    if (whyNotSent !== null) return { kind: 'refused', reason: whyNotSent };
    const channel = entryOf(this.channels, row.type);
    const [alert, digest] = [await findAlert(this.pool, row), await findDigest(this.pool, row)];
    if (digest?.count === 0) return { kind: 'refused', reason: 'what it held was deleted' };
    return channel.send(toOutgoing(row, { unsubscribeUrl, acknowledgeUrl, alert, digest }, this.clock.now()), onSent);
  }
}
