import assert from 'node:assert/strict';
import type { Pool } from 'mysql2/promise';
import { IsolatedEvaluation } from '../../../../src/alerts/evaluation/isolated-evaluation';
import type { CarefulWork } from '../../../../src/fairness/quarantine/careful-work';
import type { PartitionLayout } from '../../../../src/points/inbox/partition-layout';
import { until } from '../../../support/until';

const BUSY = [1, 2, 3];
const INNOCENT = 4;
const PARTITION = 7;

describe('the evaluation for owners in quarantine', () => {
  it('is round-robin, so that an owner with one point waits for one pass of each other owner', async () => {
    const served: number[] = [];
    const careful: Pick<CarefulWork, 'runOnce' | 'begun' | 'setAside'> & { quarantine: unknown } = {
      runOnce: async (task) => {
        const [ownerId = 0] = ('ownerIds' in task && task.ownerIds) || [];
        served.push(ownerId);
        return { end: 'done', hasMore: ownerId !== INNOCENT };
      },
      quarantine: { idsOf: () => [...BUSY, INNOCENT], find: () => undefined },
      begun: { begin: async () => 0, end: () => undefined },
      setAside: async () => '',
    };
    const setting = { pool: {} as Pool, clock: { now: () => 0 }, layout: {} as PartitionLayout }; // no owner dies here
    new IsolatedEvaluation(setting, careful as CarefulWork).startQuarantined([PARTITION]);
    await until('all have been served', async () => served.length === 61);
    assert.deepEqual(served.slice(0, 6), [...BUSY, INNOCENT, 1, 2]);
    assert.equal(served.filter((ownerId) => ownerId === INNOCENT).length, 1);
  });
});
