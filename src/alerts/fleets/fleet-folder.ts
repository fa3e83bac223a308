import type { Pool } from 'mysql2/promise';
import { FairShareScheduler } from '../../fairness/fair-share-scheduler';
import type { Clock } from '../../platform/clock';
import type { Logger } from '../../platform/logger';
import { LruCache } from '../../platform/lru-cache';
import type { PartitionLayout, StreamSignal } from '../../points';
import type { JobQueue } from '../../queue/job-queue';
import { isPermanent } from '../../storage/mysql-errors';
import { type FoldOutcome, foldFleet, POINT_MS } from './fleet-fold';
import { type DueFleet, findDueFleets } from './fleet-rows';

/** The next run continues. */
const RUN_MS = 2_000;
/** A fleet that cannot be folded waits this long. */
const FAILED_PAUSE_MS = 60_000;
const FAILED_FLEETS = 1_000;
/** The fleets of an owner without time left are folded less often. */
const LONGEST_WAIT_MS = 5_000;
const FOLDED_FLEETS = 10_000;

interface Parts {
  database: { pool: Pool };
  clock: Clock;
  layout: PartitionLayout;
  jobQueue: JobQueue;
  streamSignal: Pick<StreamSignal, 'notify'>;
  logger: Logger;
}

/** Writes the summaries of fleets. Several workers may run it at once: a fleet is locked while it is folded. */
export class FleetFolder {
  private readonly failed = new LruCache<number, number>(FAILED_FLEETS);
  private readonly foldedMs = new LruCache<number, number>(FOLDED_FLEETS);

  /** Time by owner, waits for MySQL included. */
  private readonly shares: FairShareScheduler;

  constructor(private readonly parts: Parts) {
    this.shares = new FairShareScheduler(() => parts.clock.now());
  }

  /** Returns how many fleets were folded. */
  async run(): Promise<number> {
    const { shares } = this;
    const { database, clock } = this.parts;
    const startedMs = clock.now();
    const due = await findDueFleets(database.pool, startedMs, startedMs - POINT_MS);
    let folded = 0;
    for (const fleet of shares.leastUsedFirst(due)) {
      if (startedMs < (this.failed.find(fleet.id) ?? 0)) continue;
      const sinceMs = startedMs - (this.foldedMs.find(fleet.id) ?? 0);
      if (shares.mustWait(fleet.ownerId) && sinceMs < LONGEST_WAIT_MS) continue;
      this.foldedMs.set(fleet.id, startedMs);
      await this.fold(fleet);
      folded += 1;
      if (clock.now() >= startedMs + RUN_MS) break;
    }
    return folded;
  }

  private async fold({ id, ownerId }: DueFleet): Promise<void> {
    const { shares } = this;
    const { database, clock, layout, logger } = this.parts;
    const untilMs = clock.now() + RUN_MS;
    for (let hasMore = true; hasMore && clock.now() < untilMs; ) {
      const started = shares.now();
      try {
        const outcome = await foldFleet({ pool: database.pool, clock, layout }, id);
        hasMore = outcome.hasMore;
        await this.enqueue(outcome);
      } catch (error) {
        if (!isPermanent(error)) throw error;
        logger.error({ serviceId: id, err: error }, 'a fleet cannot be folded');
        this.failed.set(id, clock.now() + FAILED_PAUSE_MS);
        return;
      } finally {
        shares.chargeTime(ownerId, shares.now() - started);
      }
    }
  }

  private async enqueue({ partitions, eventUsers, isStreamed }: FoldOutcome): Promise<void> {
    const { jobQueue, streamSignal } = this.parts;
    if (isStreamed) streamSignal.notify();
    if (partitions.size > 0) await jobQueue.nudgeEvaluation(partitions);
    if (eventUsers.length > 0) await jobQueue.enqueueEventDispatch(eventUsers);
  }
}
