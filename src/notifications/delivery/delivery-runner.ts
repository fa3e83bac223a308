import type { Pool } from 'mysql2/promise';
import type { DeliveryNudge, DeliveryPayload } from '../../../jobs/delivery.job';
import type { CarefulWork } from '../../fairness/quarantine/careful-work';
import { MOST_DEATHS } from '../../fairness/quarantine/work-kind';
import { Batcher } from '../../platform/batcher';
import type { Clock } from '../../platform/clock';
import type { Logger } from '../../platform/logger';
import type { JobQueue } from '../../queue/job-queue';
import type { AttemptContext, AttemptEnd, DeliveryRow } from './attempt';
import type { AttemptStage } from './attempt-stage';
import { isDue, readDeliveries } from './leases';
import { TenantPermits } from './permits';
import type { ReceiverQueue } from './receiver-queue';

const READS = { most: 50, atOnce: 4 };

export interface RunnerParts {
  pool: Pool;
  stages: readonly AttemptStage[];
  receivers: Pick<ReceiverQueue, 'divide' | 'throttleAll' | 'release'>;
  jobQueue: Pick<JobQueue, 'enqueueDeliveries'>;
  clock: Clock;
  logger: Logger;
  /** Keeps attempts apart that end their process; absent in the lone process. */
  careful?: CarefulWork | undefined;
  concurrency: number;
}

/**
 * Starts all deliveries. Throttles those without a permit; attempts others in this process while it has room for their
 * owner, otherwise through the queue. If the process dies, the reconciler finds the rest.
 */
export class DeliveryRunner {
  private readonly running = new Set<Promise<void>>();
  private readonly reads = new Batcher((ids: readonly number[]) => readDeliveries(this.parts.pool, ids), READS);
  private readonly tenants: TenantPermits;
  private inFlight = 0;
  private isOpen = false;

  constructor(private readonly parts: RunnerParts) {
    this.tenants = new TenantPermits(parts.concurrency);
  }

  /** From now on makes attempts here, and takes jobs of the delivery queue. */
  open(): void {
    this.isOpen = true;
  }

  /** Waits for the running attempts. */
  async close(): Promise<void> {
    this.isOpen = false;
    while (this.running.size > 0) await Promise.all(this.running);
  }

  describe(): string {
    return `${this.running.size} attempts without a job`;
  }

  /** Call it after the commit. Goes round-robin over owners, by priority. No owner waits for the surplus of others. */
  async start(nudges: readonly DeliveryNudge[]): Promise<void> {
    const { receivers, jobQueue, logger } = this.parts;
    const { first, surplus } = receivers.divide([...nudges].sort((a, b) => b.priority - a.priority));
    const crowded = new Set(surplus.map(({ ownerId }) => ownerId));
    await this.startFirst(first.filter(({ ownerId }) => !crowded.has(ownerId)));
    if (surplus.length === 0) return;
    await receivers.throttleAll(surplus).catch((error: unknown) => {
      logger.warn({ reason: String(error) }, 'deliveries could not be throttled; all of them are enqueued');
      return jobQueue.enqueueDeliveries(surplus);
    });
    await this.startFirst(first.filter(({ ownerId }) => crowded.has(ownerId)));
  }

  private async startFirst(nudges: readonly DeliveryNudge[]): Promise<void> {
    const others = nudges.filter((nudge) => !this.begin(nudge));
    if (others.length > 0) await this.parts.jobQueue.enqueueDeliveries(others);
  }

  /**
   * An attempt begins once the previous one has been sent or has ended. Calls `onEnd` when all have ended, before it
   * starts deliveries that are due then.
   */
  async run({ deliveryId, next = [] }: DeliveryPayload, onEnd?: () => void): Promise<AttemptEnd[]> {
    const attempts: Promise<AttemptEnd>[] = [];
    let left = 1 + next.length;
    const countEnd = () => {
      left -= 1;
      if (left === 0) onEnd?.();
    };
    for (const id of [deliveryId, ...next]) {
      await new Promise<void>((onSent) => {
        const attempt = this.attempt(id, { onSent, onEnd: countEnd }).finally(onSent);
        attempt.catch(() => undefined); // thrown below, when the others are running
        attempts.push(attempt);
      });
    }
    return Promise.all(attempts);
  }

  /**
   * Safe to call twice, concurrently or later: only one call gets the lease. Delivers at least once, always with one
   * id.
   */
  async attempt(deliveryId: number, { onSent, onEnd }: AttemptCallbacks = {}): Promise<AttemptEnd> {
    const nudges: DeliveryNudge[] = [];
    try {
      return await this.make(deliveryId, nudges, onSent);
    } finally {
      onEnd?.();
      if (nudges.length > 0) await this.start(nudges);
    }
  }

  private async make(deliveryId: number, nudges: DeliveryNudge[], onSent?: () => void): Promise<AttemptEnd> {
    const row = await this.reads.add(deliveryId);
    if (row?.status === 'failed') return 'failed';
    if (!row || !isDue(row, this.parts.clock.now())) return 'not-due';
    const why = await this.whyNotBegun(row);
    if (why === 'alone') return 'not-due';
    const context: AttemptContext = { row, onSent, whyNotSent: why, nudges };
    try {
      return await this.passStages(context);
    } finally {
      await this.parts.receivers.release(context);
    }
  }

  /** `alone` if the lone process has just attempted it, because several attempts have ended their processes. */
  private async whyNotBegun({ id, begun }: DeliveryRow): Promise<string | 'alone' | null> {
    const { careful } = this.parts;
    const setAside = careful?.quarantine.find('delivery', id);
    if (setAside) return setAside.reason;
    if (!careful || begun < MOST_DEATHS) return null;
    const endLease = () =>
      this.parts.pool.query('UPDATE deliveries SET lease_until_ms = NULL, permit = NULL WHERE id = ?', [id]);
    return (await careful.runAlone({ kind: 'delivery', id }, endLease)) ?? 'alone';
  }

  private async passStages(context: AttemptContext): Promise<AttemptEnd> {
    for (const { run, evenIfRefused } of this.parts.stages) {
      if (context.whyNotSent !== null && !evenIfRefused) continue;
      const end = await run(context);
      if (end !== undefined) return end;
    }
    throw new Error('no stage ended the attempt');
  }

  /** False if this process has no room for the owner. */
  private begin(nudge: DeliveryNudge): boolean {
    const { ownerId, delayMs } = nudge;
    const hasRoom = this.isOpen && this.inFlight < this.parts.concurrency;
    if (!hasRoom || delayMs || !this.tenants.take(ownerId)) return false;
    this.inFlight += 1;
    const work: Promise<void> = this.runInline(nudge).finally(() => this.running.delete(work));
    this.running.add(work);
    return true;
  }

  private async runInline(nudge: DeliveryNudge): Promise<void> {
    const leave = () => {
      this.inFlight -= 1;
      this.tenants.release(nudge.ownerId);
    };
    try {
      const ends = await this.run(nudge, leave);
      // The board shows the failed job.
      if (ends.includes('failed')) await this.parts.jobQueue.enqueueDeliveries([nudge]);
    } catch (error) {
      this.parts.logger.warn(
        { deliveryId: nudge.deliveryId, reason: String(error) },
        'an attempt failed; the reconciler will enqueue it again',
      );
    }
  }
}

interface AttemptCallbacks {
  /** Called when no later attempt can overtake this one, if the channel knows. */
  onSent?: () => void;
  /** Called before the deliveries start that are due then. */
  onEnd?: () => void;
}
