import assert from 'node:assert/strict';
import { DataPointWriter } from '../../src/points/intake/data-point-writer';
import { buildSensor } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';
import { until } from '../support/until';
import { type WatchedChange, watchPool } from '../support/watched-pool';

const MANY = 1_000;

describe('uploads of users with few points', () => {
  const platform = usePlatform();
  const heavy = useUser(platform);
  const neighbour = useUser(platform);

  it('are stored while a commit of one with many is under way, all that wait together', async () => {
    const { database, jobQueue, clock, layout, metrics } = platform.container;
    let letGo = () => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let [held, ofFew] = [0, 0];
    const onCommit = async (changes: readonly WatchedChange[]) => {
      const isLarge = changes.some(({ affectedRows }) => affectedRows >= MANY);
      if (!isLarge) ofFew += 1;
      else {
        held += 1;
        await gate;
      }
    };
    const writer = new DataPointWriter(
      watchPool(database.uploads, { onCommit }),
      ...([jobQueue, clock, layout, metrics, { notify() {} }] as const),
    );
    const write = (userId: string, sensorId: string, count: number) => {
      const points = Array.from({ length: count }, (_, index) => ({ dateMs: 1_600_000_000_000 + index, value: '1' }));
      return writer.write(Number(userId), [{ sensorId: Number(sensorId), points, receivedMs: clock.now() }]);
    };
    const theirs = [await buildSensor(heavy), await buildSensor(heavy), await buildSensor(heavy)];
    const own = [await buildSensor(neighbour), await buildSensor(neighbour)];
    const large = theirs.map((id) => write(heavy.id, id, MANY));
    await until('a commit is under way', () => held === 1);
    const outcomes = await Promise.all(own.map((id) => write(neighbour.id, id, 1)));
    assert.ok(outcomes.every((outcome) => typeof outcome === 'object'));
    assert.deepEqual([held, ofFew, writer.waitingPoints], [1, 1, 2 * MANY], 'the others are committed later');
    letGo();
    assert.ok((await Promise.all(large)).every((outcome) => typeof outcome === 'object'));
    const stored = await platform.query('SELECT COUNT(*) AS points FROM data_points WHERE sensor_id IN (?)', [
      [...theirs, ...own],
    ]);
    assert.equal(Number(stored[0]?.points), 3 * MANY + 2);
  });
});
