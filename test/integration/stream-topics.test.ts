import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { StreamTopics } from '../../src/points/streams/topics';
import { usePlatform, useUser } from '../support/hooks';

describe('who begins to stream firings', () => {
  const platform = usePlatform();
  const user = useUser(platform);

  it('waits for the running passes, one partition after the other, even if an earlier waiter has died', async () => {
    const { database, clock } = platform.container;
    const topics = new StreamTopics(database.pool, clock);
    const watch = () => topics.watch({ kind: 'firings', thingIds: [Number(user.id)] });
    const sinceBatch = async () => {
      const [topic] = await platform.query('SELECT since_batch AS since FROM stream_topics WHERE thing_id = ?', [
        user.id,
      ]);
      return topic?.since;
    };
    // As of a process that died before it had waited.
    const columns = 'kind, thing_id, until_ms';
    await platform.query(`INSERT INTO stream_topics (${columns}) VALUES ('firings', ?, ?)`, [user.id, 1e13]);
    const pass = await database.pool.getConnection();
    await pass.beginTransaction();
    await pass.query('UPDATE partitions SET state_epoch = state_epoch + 1 WHERE partition_no = 1');
    const watching = watch();
    await sleep(200);
    assert.equal(await sinceBatch(), null);
    // The others go on meanwhile.
    await platform.query('UPDATE partitions SET state_epoch = state_epoch + 1 WHERE partition_no <> 1');
    await pass.commit();
    pass.release();
    await watching;
    assert.notEqual(await sinceBatch(), null);
  });
});
