import assert from 'node:assert/strict';
import type { PoolConnection } from 'mysql2/promise';
import { PassWrites } from '../../../../src/alerts/evaluation/pass-writes';

describe('a pass', () => {
  const none = { firings: [], ends: [] };

  it('leaves the other sensors to the next one when it has tried many shadows', async () => {
    const writes = new PassWrites({} as PoolConnection); // nothing is counted
    for (let sensor = 0; sensor < 199; sensor += 1) await writes.add(none, 10);
    assert.equal(writes.isFull, false);
    await writes.add(none, 10);
    assert.equal(writes.isFull, true);
  });
});
