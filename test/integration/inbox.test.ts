import assert from 'node:assert/strict';
import type { PoolConnection } from 'mysql2/promise';
import { readWaiting } from '../../src/alerts/evaluation/waiting-points';
import { FairShareScheduler } from '../../src/fairness/fair-share-scheduler';
import { BatchBuilder } from '../../src/points/inbox/inbox-batch';
import {
  insertBatches,
  readBatches,
  removeHandled,
  repartitionInbox,
  StalePass,
} from '../../src/points/inbox/inbox-rows';
import { PartitionLayout } from '../../src/points/inbox/partition-layout';
import { inPoolTransaction } from '../../src/storage/transaction';
import { usePlatform } from '../support/hooks';
import { connectOtherClient } from '../support/other-client';
import { timed } from '../support/stopwatch';

const PARTITIONS = 4;

describe('the inbox', () => {
  const platform = usePlatform();
  const measured = () => {
    const all = new FairShareScheduler(() => 0);
    for (const ownerId of [1, 2]) all.charge(ownerId, 0, 1);
    return all;
  };
  const shares = measured();
  const transaction = <T>(work: (connection: PoolConnection) => Promise<T>) =>
    inPoolTransaction(platform.container.database.pool, work);
  /** One commit of an owner: points of these sensors, dated from `fromMs` on. */
  const store = (ownerId: number, sensorIds: readonly number[], fromMs = 1, partitions = PARTITIONS) =>
    transaction(async (connection) => {
      const builder = new BatchBuilder(partitions);
      for (const [index, id] of sensorIds.entries())
        builder.add(ownerId, id, { value: 'v', dateMs: fromMs + index }, 5);
      await insertBatches(connection, builder, fromMs);
    });
  const waitingIn = (partition: number, sensorId?: number) =>
    transaction((connection) => readWaiting(connection, { partitions: [partition], sensorId }, shares));

  beforeEach(() => platform.query('DELETE FROM inbox_batches'));

  it('keeps the points of a batch that a pass has not handled', async () => {
    await store(1, [4, 8, 4, 12]);
    const { points, batches } = await waitingIn(0);
    await transaction((connection) => removeHandled(connection, batches, points.slice(0, 2)));
    const left = await waitingIn(0);
    assert.deepEqual(
      left.points.map(({ sensorId, dateMs }) => [sensorId, dateMs]),
      [
        [4, 3],
        [12, 4],
      ],
    );
    await transaction((connection) => removeHandled(connection, left.batches, left.points));
    assert.deepEqual((await waitingIn(0)).points, []);
  });

  it('removes batches while a pass of another partition, which goes on for long, has removed others', async () => {
    for (let at = 0; at < 8; at += 1) for (const sensorId of [4, 5]) await store(1, [sensorId], at + 1);
    const { points, batches } = await waitingIn(0);
    const others = (await waitingIn(1)).batches.map(({ id }) => id);
    const other = await connectOtherClient(platform);
    try {
      await other.beginTransaction();
      for (const id of others.slice(0, 4)) await other.query('DELETE FROM inbox_batches WHERE id = ?', [id]);
      const tookMs = await timed(() => transaction((connection) => removeHandled(connection, batches, points)));
      assert.ok(tookMs < 5_000, `it waited ${tookMs} ms for a lock`);
    } finally {
      await other.rollback();
      await other.end();
    }
  });

  it('refuses to remove batches that another pass has removed or reduced', async () => {
    await store(1, [4, 8]);
    const { points, batches } = await waitingIn(0);
    await transaction((connection) => removeHandled(connection, batches, points));
    for (const handled of [points, points.slice(1)]) {
      await assert.rejects(
        transaction((connection) => removeHandled(connection, batches, handled)),
        StalePass,
      );
    }
  });

  it('shares a pass fairly by owner when more than a few batches wait', async () => {
    for (let commit = 0; commit < 20; commit += 1) await store(1, Array(1_000).fill(4), 1 + commit * 1_000);
    await store(2, [8], 50_000);
    const { points, unreadOwnerIds } = await waitingIn(0);
    const [mine, others] = [
      points.filter(({ ownerId }) => ownerId === 1),
      points.filter(({ ownerId }) => ownerId === 2),
    ];
    assert.deepEqual([mine.length, others.length, unreadOwnerIds], [1_250, 1, [1]]);
    assert.deepEqual(
      mine.map(({ dateMs }) => dateMs),
      Array.from({ length: 1_250 }, (_, index) => index + 1),
    );
  });

  it('gives as many points as the scope says, in equal parts', async () => {
    for (let commit = 0; commit < 20; commit += 1) await store(1, Array(1_000).fill(4), 1 + commit * 1_000);
    const scope = { partitions: [0], mostPoints: 10_000 };
    const wide = () => transaction((connection) => readWaiting(connection, scope, measured()));
    assert.equal((await wide()).points.length, 10_000);
    await store(2, [8], 50_000);
    assert.equal((await wide()).points.filter(({ ownerId }) => ownerId === 1).length, 5_000);
  });

  it('finds the points of one sensor among those of others, and leaves the others where they are', async () => {
    await store(1, [4, 8, 4]);
    await store(1, [8, 12], 10);
    const { points, batches } = await waitingIn(0, 8);
    assert.deepEqual(
      points.map(({ sensorId, dateMs }) => [sensorId, dateMs]),
      [
        [8, 2],
        [8, 10],
      ],
    );
    await transaction((connection) => removeHandled(connection, batches, points));
    assert.deepEqual(
      (await waitingIn(0)).points.map(({ sensorId, dateMs }) => [sensorId, dateMs]),
      [
        [4, 1],
        [4, 3],
        [12, 11],
      ],
    );
  });

  it('moves points to their partitions when there are more or fewer of them, and loses none', async () => {
    const { database, config } = platform.container;
    const change = (count: number) => new PartitionLayout(1).change(database.pool, count);
    const sensors = [4, 5, 6, 7, 8, 9];
    await store(1, sensors);
    await change(3);
    await Promise.all([1, 2].map(() => repartitionInbox(database.pool, 3)));
    for (const partition of [0, 1, 2]) {
      const { points } = await waitingIn(partition);
      assert.deepEqual(
        points.map(({ sensorId }) => sensorId).sort(),
        sensors.filter((id) => id % 3 === partition),
      );
    }
    await change(1);
    await repartitionInbox(database.pool, 1);
    const { batches, points } = await waitingIn(0);
    assert.deepEqual(points.map(({ sensorId }) => sensorId).sort(), sensors);
    assert.ok(batches.every(({ points: held }) => held.every(({ storedMs }) => storedMs === 1)));
    const all = await transaction((connection) => readBatches(connection, 'id > ?', [0]));
    assert.equal(all.flatMap(({ points: held }) => held).length, sensors.length);
    await change(config.partitions);
  });
});
