import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { DeliveryNudge } from '../../../jobs/delivery.job';
import { throttledRank } from '../../../jobs/priority';
import { Batcher } from '../../platform/batcher';
import type { Clock } from '../../platform/clock';
import { partsOf } from '../../platform/parts-of';
import { roundRobin } from '../../platform/round-robin';
import { inPoolTransaction } from '../../storage/transaction';
import type { DeliveryRow } from './attempt';
import { isNotPaused, nudgeOf } from './delivery-rows';
import { DEGRADED_AFTER } from './leases';
import type { ReceiverPermits, ReceiverState } from './permits';
import { ThrottledChoice } from './throttled-choice';
import { lockThrottled, makeDue, type ThrottledPlace, throttleRows, type WantedThrottled } from './throttled-rows';

/** A recovering receiver soon uses all its permits. */
const WOKEN_PER_PERMIT = 2;
const WAKERS = 4;
/** Fraction of permits left to new deliveries, so that no tenant waits for the whole backlog of another. */
const LEFT_TO_OTHERS = 1 / 10;
const TOGETHER = { most: 100, atOnce: 4 };
const RECEIVERS_PER_RUN = 500;
const RECEIVERS_PER_TRANSACTION = 50;
const THROTTLED_AT_ONCE = 1_000;

/** The surplus finds no permit before the first ones have ended. */
export interface DividedNudges {
  first: DeliveryNudge[];
  surplus: DeliveryNudge[];
}

interface FreedPermit extends ReceiverState {
  spare: number;
}

/**
 * Neither the reconciler nor the queue processes throttled deliveries until a permit is freed. Then the most urgent of
 * each owner go first, round-robin over owners.
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

  /** Changes nothing if the delivery has changed meanwhile. */
  async throttle(row: DeliveryRow, queue = row.receiver): Promise<void> {
    await throttleRows(this.pool, [placeOf(nudgeOf(row), queue ?? '')], this.clock.now());
  }

  /** An owner's deliveries keep their order; owners go round-robin. */
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

  /** Deliveries before them wake them. */
  async throttleAll(nudges: readonly DeliveryNudge[]): Promise<void> {
    const places = nudges.flatMap(({ deliveryId, next = [], ...nudge }) =>
      [deliveryId, ...next].map((id) => placeOf({ ...nudge, deliveryId: id }, nudge.receiver ?? '')),
    );
    for (const some of partsOf(places, THROTTLED_AT_ONCE)) await throttleRows(this.pool, some, this.clock.now());
  }

  /** Call it after an attempt. Makes at most two urgent deliveries due. Returns nudges. */
  wake(receiver: string, isDegraded: boolean): Promise<DeliveryNudge[]> {
    const spare = Math.floor(this.permits.limit(isDegraded) * LEFT_TO_OTHERS);
    return this.freed.add({ receiver, isDegraded, spare });
  }

  /** Call it after throttling: if a permit was freed just before, nothing else would wake the delivery. */
  wakeThrottled(receiver: string, isDegraded: boolean): Promise<DeliveryNudge[]> {
    return this.freed.add({ receiver, isDegraded, spare: 0 });
  }

  /** Wakes up to 500 random receivers: one without a running attempt would wait forever. Returns nudges. */
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

  /** The first item gets all nudges. */
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
       FROM (SELECT DISTINCT d.receiver FROM throttled_deliveries d WHERE ${isNotPaused('d')}) p LEFT JOIN degraded_receivers a ON a.receiver = p.receiver
       ORDER BY RAND() LIMIT ?`,
      [RECEIVERS_PER_RUN],
    );
    return rows.map(({ receiver, failures }) => ({ receiver, isDegraded: failures >= DEGRADED_AFTER }));
  }
}

function placeOf({ deliveryId, ownerId, priority, cause }: DeliveryNudge, queue: string): ThrottledPlace {
  return { deliveryId, ownerId, queue, rank: throttledRank(priority, cause) };
}
