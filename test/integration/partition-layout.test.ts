import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolConnection } from 'mysql2/promise';
import { BatchBuilder } from '../../src/points/inbox/inbox-batch';
import { insertBatches, MisplacedBatches, repartitionInbox, requirePlaced } from '../../src/points/inbox/inbox-rows';
import { LayoutChanged, lockPartitions, PartitionLayout } from '../../src/points/inbox/partition-layout';
import { inPoolTransaction } from '../../src/storage/transaction';
import { handleEvaluation } from '../../workers/evaluation.worker';
import { usePlatform } from '../support/hooks';
import { sentDuring } from '../support/sent-statements';

describe('the number of partitions', () => {
  const platform = usePlatform({ config: { SENSOR_PARTITIONS: '8' } });
  const change = (count: number) => new PartitionLayout(1).change(platform.container.database.pool, count);
  const transaction = <T>(work: (connection: PoolConnection) => Promise<T>) =>
    inPoolTransaction(platform.container.database.pool, work);
  const counts = async () => {
    const rows = await platform.query(
      'SELECT partition_no AS no, partition_count AS count FROM partitions ORDER BY no',
    );
    return rows.map(({ no, count }) => [Number(no), Number(count)]);
  };
  /** The partitions in which batches wait, each with its number of them. */
  const places = async () => {
    const rows = await platform.query('SELECT partition_no AS no, partition_count AS count FROM inbox_batches');
    return rows.map(({ no, count }) => [Number(no), Number(count)]);
  };
  const storeBy = (count: number, ...sensorIds: number[]) =>
    transaction(async (connection) => {
      const builder = new BatchBuilder(count);
      for (const id of sensorIds) builder.add(1, id, { value: 'v', dateMs: 1 }, 1);
      await insertBatches(connection, builder, 1);
    });

  beforeEach(async () => {
    await platform.query('DELETE FROM inbox_batches');
    await change(8);
  });

  it('is that of the process that started last, in the row of every partition', async () => {
    await change(3);
    assert.deepEqual(
      await counts(),
      Array.from({ length: 8 }, (_, no) => [no, 3]),
    );
    await Promise.all([change(12), change(20), change(5)]);
    const rows = await counts();
    assert.equal(new Set(rows.map(([, count]) => count)).size, 1);
    assert.ok(rows.length >= 20, `${rows.length} rows`);
  });

  it('applies to every pass, and a process learns it', async () => {
    await transaction((connection) => lockPartitions(connection, [1, 3], 8));
    await change(16);
    for (const partitions of [[3], [1, 3], [3, 11]]) {
      await assert.rejects(
        transaction((connection) => lockPartitions(connection, partitions, 8)),
        LayoutChanged,
      );
    }
    await transaction((connection) => lockPartitions(connection, [3, 11], 16));
    const layout = new PartitionLayout(8);
    await layout.refresh(platform.container.database.pool);
    assert.equal(layout.count, 16);
  });

  it('is not changed while a pass is running', async () => {
    const steps: string[] = [];
    let changing: Promise<unknown> = Promise.resolve();
    await transaction(async (connection) => {
      await lockPartitions(connection, [5], 8);
      changing = change(16).then(() => steps.push('changed'));
      await sleep(200);
      steps.push('the pass ends');
    });
    await changing;
    assert.deepEqual(steps, ['the pass ends', 'changed']);
  });

  it('refuses passes as long as a batch of another number waits, which is found by an index', async () => {
    await storeBy(8, ...Array.from({ length: 400 }, (_, index) => index + 1));
    for (let index = 0; index < 100; index += 1) await storeBy(8, 1, 2, 3, 4, 5, 6, 7, 8);
    await transaction((connection) => requirePlaced(connection, 8));
    await storeBy(16, 11);
    await assert.rejects(
      transaction((connection) => requirePlaced(connection, 8)),
      MisplacedBatches,
    );
    await platform.query('ANALYZE TABLE inbox_batches');
    const sent = await sentDuring(() => transaction((connection) => requirePlaced(connection, 16)).catch(() => 0));
    const [plan] = await platform.query(
      `EXPLAIN FORMAT=TRADITIONAL ${sent.find((sql) => sql.startsWith('SELECT id'))}`,
    );
    assert.equal(plan?.key, 'inbox_batches_partition_count', JSON.stringify(plan));
  });

  it('moves no points while a pass of their partition is running, which has read the points that waited before', async () => {
    await storeBy(16, 11);
    const steps: string[] = [];
    let moving: Promise<unknown> = Promise.resolve();
    await transaction(async (connection) => {
      await lockPartitions(connection, [3], 8);
      moving = repartitionInbox(platform.container.database.pool, 8).then(() => steps.push('moved'));
      await sleep(200);
      await assert.rejects(requirePlaced(connection, 8), MisplacedBatches);
      steps.push('the pass ends');
    });
    await moving;
    assert.deepEqual(steps, ['the pass ends', 'moved']);
    assert.deepEqual(await places(), [[3, 8]]);
  });

  it('is not what points are moved by once another one counts', async () => {
    await storeBy(8, 11);
    await repartitionInbox(platform.container.database.pool, 16);
    assert.deepEqual(await places(), [[3, 8]]);
  });

  it('is restored by the next pass if rows of partitions are missing', async () => {
    await platform.query('DELETE FROM partitions');
    await storeBy(8, 5);
    await handleEvaluation({ partition: 5 }, platform.container);
    assert.deepEqual(await platform.query('SELECT id FROM inbox_batches'), []);
    assert.deepEqual(
      await counts(),
      Array.from({ length: 8 }, (_, no) => [no, 8]),
    );
  });

  it('is adopted by a pass that began with a former one, which moves the waiting points', async () => {
    await storeBy(8, 3, 11, 19);
    await storeBy(16, 11);
    await change(16);
    const { jobQueue } = platform.container;
    const woken: number[] = [];
    const original = jobQueue.nudgeEvaluation;
    jobQueue.nudgeEvaluation = async (partitions) => void woken.push(...partitions);
    try {
      await handleEvaluation({ partition: 3 }, platform.container);
    } finally {
      jobQueue.nudgeEvaluation = original;
    }
    assert.deepEqual(woken.sort(), [11, 3]);
    assert.deepEqual(await places(), [
      [11, 16],
      [11, 16],
    ]);
    assert.equal(platform.container.layout.count, 16);
  });
});
