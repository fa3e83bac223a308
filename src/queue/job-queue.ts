import { type DeliveryWakeUp, enqueueDeliveries, type RankedWakeUp } from '../../jobs/delivery.job';
import { type EventShare, enqueueEventDispatch } from '../../jobs/event.job';
import type { QueueName, Queues } from '../../jobs/queues';
import { enqueueTurns, type TurnWakeUp } from '../../jobs/sensor-turn.job';
import { enqueueTraining } from '../../jobs/training.job';
import type { Clock } from '../platform/clock';
import type { Logger } from '../platform/logger';
import type { RedisClient } from '.';
import { DeliveryOrder } from './delivery-order';
import type { EventShares } from './event-shares';
import type { TurnGroups } from './turn-groups';
import { TurnPauses } from './turn-pauses';
import { WakeUpBuffer } from './wake-up-buffer';

/**
 * Enqueues wake-ups for rows that are already committed. A wake-up may be lost without harm (the sweep enqueues it
 * again), so these promises never fail and never wait longer than two seconds for Redis.
 */
export class JobQueue {
  private readonly turns: WakeUpBuffer<TurnWakeUp>;
  private readonly deliveries: WakeUpBuffer<RankedWakeUp>;
  private readonly order: DeliveryOrder;
  private readonly events: WakeUpBuffer<EventShare>;
  private readonly training: WakeUpBuffer<number>;
  private readonly pauses = new TurnPauses();

  constructor(
    queues: Queues,
    redis: Pick<RedisClient, 'isReady'>,
    private readonly groups: { turns: Pick<TurnGroups, 'wakeUpsOf'>; events: Pick<EventShares, 'wakeUpsOf'> },
    logger: Logger,
    clock: Clock,
  ) {
    this.order = new DeliveryOrder(() => clock.now());
    const buffer = <T>(name: QueueName, send: (wakeUps: T[]) => Promise<void>, pauseMs?: (inARow: number) => number) =>
      new WakeUpBuffer(name, redis, send, logger, pauseMs);
    this.turns = buffer(
      'sensor-actors',
      (wakeUps) => enqueueTurns(queues['sensor-actors'], wakeUps),
      (inARow) => this.pauses.next(inARow),
    );
    this.deliveries = buffer('deliveries', (wakeUps) => enqueueDeliveries(queues.deliveries, wakeUps));
    this.events = buffer('events', (shares) => enqueueEventDispatch(queues.events, shares));
    this.training = buffer('training', (serviceIds) => enqueueTraining(queues.training, serviceIds));
  }

  /** A turn of each of these partitions, and of those in their groups; they get so many points, or more where that is not known. */
  enqueueTurns(partitions: Iterable<number>, points?: number): Promise<void> {
    this.pauses.count(points);
    return this.turns.add(this.groups.turns.wakeUpsOf(partitions));
  }

  /** The next attempt of each of these deliveries; of equal ones the first goes first. */
  enqueueDeliveries(wakeUps: Iterable<DeliveryWakeUp>): Promise<void> {
    return this.deliveries.add(
      [...wakeUps].map((wakeUp) => [keyOf(wakeUp), { ...wakeUp, rank: this.order.next(wakeUp) }] as const),
    );
  }

  /** The dispatch of the events that wait of these users, or of all; of others that share a wake-up with them, too. */
  enqueueEventDispatch(userIds?: Iterable<number>): Promise<void> {
    return this.events.add(this.groups.events.wakeUpsOf(userIds));
  }

  /** Training of each of these services. */
  enqueueTraining(serviceIds: Iterable<number>): Promise<void> {
    return this.training.add(keyedById(serviceIds));
  }
}

function keyedById(ids: Iterable<number>): (readonly [number, number])[] {
  return [...ids].map((id) => [id, id] as const);
}

/** Those of a parked delivery are not dropped in favour of another, as they are not by BullMQ. */
function keyOf({ deliveryId, attempts, wasParked }: DeliveryWakeUp): string {
  return `${deliveryId}-${attempts}${wasParked ? '-parked' : ''}`;
}
