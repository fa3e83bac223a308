import assert from 'node:assert/strict';
import type { PoolConnection } from 'mysql2/promise';
import { PassClock, PassTooLong } from '../../../../src/alerts/evaluation/pass-clock';
import {
  type ClosedService,
  openMemories,
  resultOf,
  writeMemories,
} from '../../../../src/alerts/evaluation/service-rows';
import { FairShareScheduler } from '../../../../src/fairness/fair-share-scheduler';

const [ANNA, BEN] = [1, 2];
/** Each look at the clock is so much later than the one before. */
const LOOK_MS = 30;

describe('the memories of services in a pass', () => {
  const clockOf = (rows: [number, number][]) => {
    let nowMs = 0;
    const now = () => {
      nowMs += LOOK_MS;
      return nowMs;
    };
    return new PassClock(new FairShareScheduler(now), new Map(rows));
  };
  const service = (id: number, ownerId: number): ClosedService => ({
    id,
    ownerId,
    name: 'math_service',
    settings: {},
    memory: `{"id":${id}}`,
    model: null,
    lastError: null,
    inputs: [],
  });
  const many = (ownerId: number) => Array.from({ length: 100 }, (_, index) => service(index, ownerId));

  it('are parsed by the time of their owner, until it is used up', async () => {
    const { services, tooMany } = await openMemories([...many(ANNA), service(200, BEN)], clockOf([[ANNA, 1]]));
    const ofAnna = services.filter(({ ownerId }) => ownerId === ANNA);
    assert.equal(ofAnna.length, Math.ceil(1_001 / LOOK_MS));
    assert.equal(services.length + tooMany.length, 101);
    assert.deepEqual(services.at(-1)?.memory, { id: 200 }, 'another owner has time left');
  });

  it('are left to a smaller pass if the owner has several points in this one', async () => {
    await assert.rejects(openMemories(many(ANNA), clockOf([[ANNA, 2]])), PassTooLong);
  });

  it('are written only if they have changed', async () => {
    const sent: [string, unknown[][]][] = [];
    const query = async (sql: string, [rows]: [unknown[][]]) => sent.push([sql, rows]);
    const connection = { query } as unknown as PoolConnection;
    const { services } = await openMemories([service(5, ANNA), service(6, ANNA)], clockOf([[ANNA, 1]]));
    const [same, other] = services;
    assert.ok(same && other);
    const results = [
      resultOf(same, { memory: same.memory, lastError: 'no value' }),
      resultOf(other, { memory: { id: 7 }, lastError: null }),
    ];
    await writeMemories(connection, results, clockOf([[ANNA, 1]]));
    assert.deepEqual(
      sent.map(([sql, [row]]) => [/memory = VALUES/.test(sql), /version = version \+ 1/.test(sql), row?.[0], row?.[5]]),
      [
        [true, true, 6, '{"id":7}'],
        [false, true, 5, ''],
      ],
    );
  });
});
