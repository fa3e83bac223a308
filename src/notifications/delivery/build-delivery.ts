import type { Metrics } from '../../platform/metrics';
import type { JobQueue } from '../../queue/job-queue';
import { AttemptLog } from './attempt-log';
import type { StageParts } from './attempt-stage';
import { attemptStages } from './attempt-stages';
import { DeliveryRunner, type RunnerParts } from './delivery-runner';
import { LateAlerts } from './late-alerts';
import { type ReceiverLimits, ReceiverQueue } from './receiver-queue';

type DeliveryParts = Omit<StageParts, 'receivers' | 'log'> &
  Omit<RunnerParts, 'stages' | 'receivers' | 'concurrency'> & {
    jobQueue: Pick<JobQueue, 'enqueueDeliveries' | 'enqueueEventDispatch'>;
    metrics: Metrics;
    limits: ReceiverLimits;
  };

export type Delivery = ReturnType<typeof buildDelivery>;

export function buildDelivery({ metrics, limits, ...parts }: DeliveryParts) {
  const { pool, jobQueue, clock } = parts;
  const receivers = new ReceiverQueue(pool, clock, limits);
  const log = new AttemptLog(pool, jobQueue, clock, metrics);
  const stages = attemptStages({ ...parts, receivers, log });
  const runner = new DeliveryRunner({ ...parts, stages, receivers, concurrency: limits.perProcess });
  const late = new LateAlerts(pool, jobQueue, clock);
  return { runner, receivers, log, late };
}
