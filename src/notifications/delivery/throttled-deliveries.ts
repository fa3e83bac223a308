import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { DeliveryNudge } from '../../../jobs/delivery.job';
import { throttledRank } from '../../../jobs/priority';
import { Batcher } from '../../platform/batcher';
import type { Clock } from '../../platform/clock';
import { partsOf } from '../../platform/parts-of';
import { roundRobin } from '../../platform/round-robin';
import { inPoolTransaction } from '../../storage/transaction';
import type { DeliveryRow } from './attempt';
import { nudgeOf } from './delivery-rows';
import { DEGRADED_AFTER } from './leases';
import type { ReceiverPermits, ReceiverState } from './permits';
import { ThrottledChoice } from './throttled-choice';
import {
  lockThrottled,
  makeDue,
  NOT_PAUSED,
  type ThrottledPlace,
  throttleRows,
  type WantedThrottled,
} from './throttled-rows';

/**
 * Number of deliveries to wake per freed permit: more than one, so that a recovering receiver soon uses all its
 * permits.
 */
const WOKEN_PER_PERMIT = 2;
/** Maximum number of processes that wake deliveries of one receiver at the same time, each with other deliveries. */
const WAKERS = 4;
/**
 * Fraction of a receiver's permits left to new deliveries by waiting ones, so that no tenant waits for the whole
 * backlog of another.
 */
const LEFT_TO_OTHERS = 1 / 10;
/** Permits that are freed at the same time are processed together. */
const TOGETHER = { most: 100, atOnce: 4 };
/** Maximum number of receivers that one run of the reconciler wakes, and number per transaction. */
const RECEIVERS_PER_RUN = 500;
const RECEIVERS_PER_TRANSACTION = 50;
const THROTTLED_AT_ONCE = 1_000;

/** Newly due deliveries that may find a permit, and those that find none before the former have ended. */
export interface DividedNudges {
  first: DeliveryNudge[];
  surplus: DeliveryNudge[];
}

/** A receiver that may have a free permit. */
interface FreedPermit extends ReceiverState {
  /** Number of permits to leave free. */
  spare: number;
}

/**
 * Sets due deliveries aside while their receiver has no free permit: neither the reconciler nor the queue processes
 * them until a permit is freed. Then the most urgent of each owner go first, round-robin over owners.
 */
export class ThrottledDeliveries {
  private readonly freed = new Batcher((freed: readonly FreedPermit[]) => this.wakeFor(freed), TOGETHER);
  private readonly choice: ThrottledChoice;

  constructor(
    private readonly pool: Pool,
    private readonly permits: ReceiverPermits,
    private readonly clock: Clock,
  ) {
    this.choice = new ThrottledChoice(pool);
  }

  /**
   * Throttles a due delivery until its receiver, or its owner's queue, has a permit, unless the delivery has changed
   * meanwhile.
   */
  async throttle(row: DeliveryRow, queue = row.receiver): Promise<void> {
    await throttleRows(this.pool, [placeOf(nudgeOf(row), queue ?? '')], this.clock.now());
  }

  /**
   * Divides newly due deliveries into those for which their receivers may have permits, and the surplus. The deliveries
   * of an owner keep their order; the permits of a receiver go round-robin over owners.
   */
  divide(nudges: readonly DeliveryNudge[]): DividedNudges {
    const counts = new Map<string, number>();
    const divided: DividedNudges = { first: [], surplus: [] };
    for (const nudge of roundRobin(nudges, ({ ownerId }) => ownerId)) {
      const { receiver, delayMs } = nudge;
      const count = receiver && !delayMs ? (counts.get(receiver) ?? 0) + 1 : 0;
      if (receiver && count > 0) counts.set(receiver, count);
      (count <= this.permits.perReceiver ? divided.first : divided.surplus).push(nudge);
    }
    return divided;
  }

  /** Throttles newly due deliveries. Those that come before them wake them when they have ended. */
  async throttleAll(nudges: readonly DeliveryNudge[]): Promise<void> {
    const places = nudges.flatMap(({ deliveryId, next = [], ...nudge }) =>
      [deliveryId, ...next].map((id) => placeOf({ ...nudge, deliveryId: id }, nudge.receiver ?? '')),
    );
    for (const some of partsOf(places, THROTTLED_AT_ONCE)) await throttleRows(this.pool, some, this.clock.now());
  }

  /**
   * Call after an attempt has ended. Makes the next deliveries of its receiver due again, at most two and no
   * more than it has free permits. Returns their nudges.
   */
  wake(receiver: string, isDegraded: boolean): Promise<DeliveryNudge[]> {
    const spare = Math.floor(this.permits.limit(isDegraded) * LEFT_TO_OTHERS);
    return this.freed.add({ receiver, isDegraded, spare });
  }

  /**
   * The same after a delivery was throttled: a permit may have been freed just before, and then nothing else would wake
   * it.
   */
  wakeThrottled(receiver: string, isDegraded: boolean): Promise<DeliveryNudge[]> {
    return this.freed.add({ receiver, isDegraded, spare: 0 });
  }

  /**
   * Makes as many deliveries due as there are free permits, for up to 500 random receivers: receivers without a running
   * attempt would otherwise wait permanently. The number of statements does not grow with each receiver. Returns the
   * nudges.
   */
  async wakeAll(): Promise<DeliveryNudge[]> {
    const nudges: DeliveryNudge[] = [];
    const free = await this.permits.freeOfEach(await this.waitingReceivers());
    const wanted = [...free]
      .map(([receiver, permits]) => ({ receiver, count: permits.length }))
      .filter(({ count }) => count > 0);
    for (const some of partsOf(wanted, RECEIVERS_PER_TRANSACTION)) {
      nudges.push(...(await this.makeDue(some, await this.choice.chooseOfEach(some))));
    }
    return nudges;
  }

  /** Wakes deliveries for all of these together. The first item gets all nudges. */
  private async wakeFor(freed: readonly FreedPermit[]): Promise<DeliveryNudge[][]> {
    const receivers = new Map<string, FreedPermit & { count: number }>();
    for (const one of freed) {
      const { spare, count } = receivers.get(one.receiver) ?? { spare: one.spare, count: 0 };
      const state = { ...one, spare: Math.min(spare, one.spare), count: count + WOKEN_PER_PERMIT };
      receivers.set(one.receiver, state);
    }
    const all = [...receivers.values()];
    const candidates = await this.choice.chooseOfEach(
      all.map(({ receiver, count }) => ({ receiver, count: count * WAKERS })),
    );
    const nothing = freed.map((): DeliveryNudge[] => []);
    if (candidates.size === 0) return nothing;
    const waiting = all.filter(({ receiver }) => candidates.has(receiver));
    const free = await this.permits.freeOfEach(waiting);
    const wanted = waiting.flatMap(({ receiver, count, spare }) => {
      const room = (free.get(receiver)?.length ?? 0) - spare;
      return room > 0 ? [{ receiver, count: Math.min(count, room) }] : [];
    });
    if (wanted.length === 0) return nothing;
    const nudges = await this.makeDue(wanted, candidates);
    return [nudges, ...nothing.slice(1)];
  }

  private makeDue(
    wanted: readonly WantedThrottled[],
    candidates: ReadonlyMap<string, readonly number[]>,
  ): Promise<DeliveryNudge[]> {
    if (candidates.size === 0) return Promise.resolve([]);
    return inPoolTransaction(this.pool, async (connection) =>
      makeDue(connection, await lockThrottled(connection, wanted, candidates), this.clock.now()),
    );
  }

  private async waitingReceivers(): Promise<ReceiverState[]> {
    const [rows] = await this.pool.query<(RowDataPacket & { receiver: string; failures: number })[]>(
      `SELECT p.receiver, COALESCE(a.failures, 0) AS failures
       FROM (SELECT DISTINCT d.receiver FROM parked_deliveries d WHERE ${NOT_PAUSED}) p LEFT JOIN degraded_receivers a ON a.receiver = p.receiver
       ORDER BY RAND() LIMIT ?`,
      [RECEIVERS_PER_RUN],
    );
    return rows.map(({ receiver, failures }) => ({ receiver, isDegraded: failures >= DEGRADED_AFTER }));
  }
}

function placeOf({ deliveryId, ownerId, priority, cause }: DeliveryNudge, queue: string): ThrottledPlace {
  return { deliveryId, ownerId, queue, rank: throttledRank(priority, cause) };
}
