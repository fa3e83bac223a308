import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { DeliveryNudge } from '../../jobs/delivery.job';
import { parkedRank } from '../../jobs/priority';
import type { Clock } from '../platform/clock';
import { partsOf } from '../rules/parts-of';
import { Batcher } from '../storage/batcher';
import { inPoolTransaction } from '../storage/transaction';
import type { DeliveryRow } from './attempt';
import { nudgeOf } from './delivery-nudge';
import { DEGRADED_AFTER } from './receiver-health';
import type { ReceiverPermits, ReceiverState } from './receiver-permits';
import {
  lockThrottled,
  makeDue,
  mostUrgentOfEach,
  NOT_PAUSED,
  parkRows,
  type ThrottledPlace,
  type WantedThrottled,
} from './throttled-rows';

/** Deliveries to wake when one permit is freed: more than one, so that a receiver that recovers soon uses all its permits. */
const WOKEN_PER_SLOT = 2;
/** So many processes may do so at the same time for one receiver, each with other deliveries. */
const WAKERS = 4;
/** The part of a receiver's permits that those who wait leave to those who have just come: nobody waits for all of another's. */
const LEFT_TO_OTHERS = 1 / 10;
/** Slots that are freed at the same time are looked at together. */
const TOGETHER = { most: 100, atOnce: 4 };
/** Receivers that one sweep wakes, and those of one transaction. */
const RECEIVERS_PER_SWEEP = 500;
const RECEIVERS_PER_TRANSACTION = 50;
const PARKED_AT_ONCE = 1_000;

/** A receiver that may have a free permit. */
interface FreedPermit extends ReceiverState {
  /** Slots to leave free. */
  spare: number;
}

/**
 * Keeps deliveries that are due while their receiver has no free permit apart from all others: neither the reconciler nor the
 * queue processes them until a permit is freed. Then the most urgent go first.
 */
export class ThrottledDeliveries {
  private readonly freed = new Batcher((freed: readonly FreedPermit[]) => this.wakeFor(freed), TOGETHER);

  constructor(
    private readonly pool: Pool,
    private readonly permits: ReceiverPermits,
    private readonly clock: Clock,
    /** Gets the nudges of deliveries that have become due, the most urgent first. */
    private readonly goOn: { inQueue: GoOn; here: GoOn },
  ) {}

  /** Parks a due delivery until its receiver, or whatever else it waits for, has a permit; unless it has changed meanwhile. */
  async park(row: DeliveryRow, lane = row.receiver): Promise<void> {
    await parkRows(this.pool, [placeOf(nudgeOf(row), lane ?? '')], this.clock.now());
  }

  /**
   * Parks, of deliveries that have just become due, those for which their receivers cannot have a permit, because there are others
   * before them; returns the others. Each of these wakes further ones when it has ended.
   */
  async parkSurplus(nudges: readonly DeliveryNudge[]): Promise<DeliveryNudge[]> {
    const counts = new Map<string, number>();
    const [first, surplus]: [DeliveryNudge[], ThrottledPlace[]] = [[], []];
    for (const nudge of nudges) {
      const { receiver } = nudge;
      if (!receiver) {
        first.push(nudge);
        continue;
      }
      const count = (counts.get(receiver) ?? 0) + 1;
      counts.set(receiver, count);
      if (count > this.permits.perReceiver) surplus.push(placeOf(nudge, receiver));
      else first.push(nudge);
    }
    for (const some of partsOf(surplus, PARKED_AT_ONCE)) await parkRows(this.pool, some, this.clock.now());
    return first;
  }

  /**
   * After an attempt has ended: makes the most urgent deliveries of its receiver due again, two at most and no more than it has
   * free permits, and goes on with them in this process.
   */
  async wake(receiver: string, isDegraded: boolean): Promise<void> {
    const spare = Math.floor(this.permits.limit(isDegraded) * LEFT_TO_OTHERS);
    const nudges = await this.freed.add({ receiver, isDegraded, spare });
    if (nudges.length > 0) await this.goOn.here(nudges);
  }

  /** The same after a delivery was throttled, as a permit may have been freed just before: then nothing else would wake it. */
  async wakeThrottled(receiver: string, isDegraded: boolean): Promise<void> {
    await this.goOn.inQueue(await this.freed.add({ receiver, isDegraded, spare: 0 }));
  }

  /**
   * Makes as many deliveries due as there are free permits, for up to 500 random receivers: those without an attempt under
   * way would otherwise wait permanently. The number of statements does not grow with each receiver.
   */
  async wakeAll(): Promise<void> {
    const free = await this.permits.freeOfEach(await this.waitingReceivers());
    const wanted = [...free]
      .map(([receiver, permits]) => ({ receiver, count: permits.length }))
      .filter(({ count }) => count > 0);
    for (const some of partsOf(wanted, RECEIVERS_PER_TRANSACTION)) {
      await this.goOn.inQueue(await this.makeDue(some, await mostUrgentOfEach(this.pool, some)));
    }
  }

  /** Wakes for all of these together; the first of them gets the nudges. */
  private async wakeFor(freed: readonly FreedPermit[]): Promise<DeliveryNudge[][]> {
    const receivers = new Map<string, FreedPermit & { count: number }>();
    for (const one of freed) {
      const { spare, count } = receivers.get(one.receiver) ?? { spare: one.spare, count: 0 };
      const state = { ...one, spare: Math.min(spare, one.spare), count: count + WOKEN_PER_SLOT };
      receivers.set(one.receiver, state);
    }
    const all = [...receivers.values()];
    const candidates = await mostUrgentOfEach(
      this.pool,
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
      [RECEIVERS_PER_SWEEP],
    );
    return rows.map(({ receiver, failures }) => ({ receiver, isDegraded: failures >= DEGRADED_AFTER }));
  }
}

type GoOn = (nudges: readonly DeliveryNudge[]) => Promise<void>;

function placeOf({ deliveryId, priority, cause }: DeliveryNudge, lane: string): ThrottledPlace {
  return { deliveryId, lane, rank: parkedRank(priority, cause) };
}
