import assert from 'node:assert/strict';
import type { Pool } from 'mysql2/promise';
import type { DeliveryNudge } from '../../../../jobs/delivery.job';
import { DeliveryRunner } from '../../../../src/notifications/delivery/delivery-runner';
import { ReceiverQueue } from '../../../../src/notifications/delivery/receiver-queue';
import { createLogger } from '../../../../src/platform/logger';
import { fakeClock } from '../../../support/fake-clock';

const PER_RECEIVER = 2;
const [CROWD, OTHER] = [1, 2];

describe('the start of deliveries', () => {
  const clock = fakeClock();
  const logger = createLogger('silent', 'worker');
  const pool = {} as Pool; // the order is decided without it
  const queue = new ReceiverQueue(pool, clock, { perReceiver: PER_RECEIVER, perProcess: 10 });
  let started: number[];
  let throttled: number[];

  beforeEach(() => {
    [started, throttled] = [[], []];
  });

  const nudge = (deliveryId: number, ownerId: number, receiver: string, priority = 0): DeliveryNudge => ({
    ...{ deliveryId, ownerId, receiver, priority, attempts: 0, cause: 'trigger' },
  });
  /** A runner of a process that attempts nothing itself. */
  const runner = (throttling: Promise<void>) =>
    new DeliveryRunner({
      ...{ pool, clock, logger, stages: [], concurrency: 10 },
      receivers: {
        divide: (nudges) => queue.divide(nudges),
        throttleAll: async (nudges) => {
          await throttling;
          throttled.push(...nudges.map(({ deliveryId }) => deliveryId));
        },
        release: async () => undefined,
      },
      jobQueue: {
        enqueueDeliveries: async (nudges) => {
          for (const { deliveryId } of nudges) started.push(deliveryId);
        },
      },
    });

  it('does not wait until the surplus of another owner is throttled', async () => {
    const never = new Promise<void>(() => undefined);
    const crowd = [1, 2, 3, 4].map((id) => nudge(id, CROWD, 'slow:80', 100));
    void runner(never).start([...crowd, nudge(5, OTHER, 'quick:80')]);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(started, [5]);
  });

  it('divides the permits of a receiver between owners, whatever their priorities are', async () => {
    const crowd = [1, 2, 3, 4].map((id) => nudge(id, CROWD, 'shared:80', id));
    await runner(Promise.resolve()).start([...crowd, nudge(5, OTHER, 'shared:80', -100)]);
    assert.deepEqual(started, [5, 4], 'and the highest priority of an owner comes first');
    assert.deepEqual(throttled, [3, 2, 1]);
  });
});
