import { enqueueArchives } from '../../jobs/archive.job';
import { type DeliveryNudge, enqueueDeliveries, type RankedNudge } from '../../jobs/delivery.job';
import { type EvaluationNudge, nudgeEvaluation } from '../../jobs/evaluation.job';
import { type EventShare, enqueueEventDispatch } from '../../jobs/event.job';
import type { QueueName, Queues } from '../../jobs/queues';
import { enqueueFleets, FLEETS } from '../../jobs/schedule.job';
import { enqueueTraining } from '../../jobs/training.job';
import type { Clock } from '../platform/clock';
import type { Logger } from '../platform/logger';
import type { RedisClient } from '.';
import { DeliveryOrder } from './delivery-order';
import { LINGER_AFTER_MANY_MS, LINGER_MS, MANY_POINTS } from './knobs';
import { NudgeBuffer } from './nudge-buffer';
import type { EventShares, ShardAssignment } from './shard-assignment';

/** The reconciler repeats lost nudges, so these promises never fail and wait at most two seconds. */
export class JobQueue {
  private readonly passes: NudgeBuffer<EvaluationNudge>;
  private readonly deliveries: NudgeBuffer<RankedNudge>;
  private readonly order: DeliveryOrder;
  private readonly events: NudgeBuffer<EventShare>;
  private readonly training: NudgeBuffer<number>;
  private readonly archives: NudgeBuffer<number>;
  private readonly fleets: NudgeBuffer<undefined>;

  constructor(
    queues: Queues,
    redis: Pick<RedisClient, 'isReady'>,
    private readonly shards: { passes: Pick<ShardAssignment, 'nudgesOf'>; events: Pick<EventShares, 'nudgesOf'> },
    logger: Logger,
    clock: Clock,
  ) {
    this.order = new DeliveryOrder(() => clock.now());
    const buffer = <T>(name: QueueName, send: (nudges: T[]) => Promise<void>) =>
      new NudgeBuffer(name, redis, send, logger);
    this.passes = buffer('evaluation', (nudges) => nudgeEvaluation(queues.evaluation, nudges));
    this.deliveries = buffer('deliveries', (nudges) => enqueueDeliveries(queues.deliveries, nudges));
    this.events = buffer('events', (shares) => enqueueEventDispatch(queues.events, shares));
    this.training = buffer('training', (serviceIds) => enqueueTraining(queues.training, serviceIds));
    this.archives = buffer('archives', (ids) => enqueueArchives(queues.archives, ids));
    this.fleets = buffer('schedule', () => enqueueFleets(queues.schedule));
  }

  /** `points`: how many of them wait for this nudge. Few gather for longer: a pass costs as much as some hundreds. */
  nudgeEvaluation(partitions: Iterable<number>, points = 0): Promise<void> {
    const lingerMs = points < MANY_POINTS ? LINGER_MS : LINGER_AFTER_MANY_MS;
    return this.passes.add(this.shards.passes.nudgesOf(partitions), lingerMs);
  }

  /** Equal deliveries keep their order. */
  enqueueDeliveries(nudges: Iterable<DeliveryNudge>): Promise<void> {
    return this.deliveries.add(
      [...nudges].map((nudge) => [keyOf(nudge), { ...nudge, rank: this.order.next(nudge) }] as const),
    );
  }

  /** Includes users who share a nudge with them. */
  enqueueEventDispatch(userIds?: Iterable<number>): Promise<void> {
    return this.events.add(this.shards.events.nudgesOf(userIds));
  }

  enqueueTraining(serviceIds: Iterable<number>): Promise<void> {
    return this.training.add(keyedById(serviceIds));
  }

  enqueueArchives(archiveIds: Iterable<number>): Promise<void> {
    return this.archives.add(keyedById(archiveIds));
  }

  enqueueFleets(): Promise<void> {
    return this.fleets.add([[FLEETS, undefined]]);
  }
}

function keyedById(ids: Iterable<number>): (readonly [number, number])[] {
  return [...ids].map((id) => [id, id] as const);
}

/** BullMQ does not deduplicate a throttled delivery's nudge with another one; neither does this key. */
function keyOf({ deliveryId, attempts, wasThrottled }: DeliveryNudge): string {
  return `${deliveryId}-${attempts}${wasThrottled ? '-throttled' : ''}`;
}
