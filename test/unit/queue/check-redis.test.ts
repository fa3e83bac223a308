import assert from 'node:assert/strict';
import { checkRedis } from '../../../src/queue/check-redis';

/** What a server answers to INFO. */
const answering = (info: string) => ({ isReady: true, ask: async <T>() => info as T }); // INFO is the only command

describe('the check of Redis', () => {
  it('goes by the version, and counts an eviction only when there is a limit of memory', async () => {
    const check = (version: string, policy = 'noeviction', limit = '0') =>
      checkRedis(answering(`redis_version:${version}\r\nmaxmemory:${limit}\r\nmaxmemory_policy:${policy}\r\n`));
    for (const version of ['6.2.0', '7.0.15', '8.2.1', '10.0.0']) {
      assert.deepEqual(await check(version), { problems: [], warnings: [] }, version);
    }
    for (const version of ['5.0.14', '6.0.16']) {
      assert.match((await check(version)).problems.join(), /must be Redis 6\.2 or Valkey/, version);
    }
    assert.equal((await check('7.2.4', 'allkeys-lfu', '1000')).problems.length, 1);
    assert.equal((await check('7.2.4', 'allkeys-lfu')).warnings.length, 1);
    assert.equal((await check('7.2.4', 'volatile-lru', '1000')).warnings.length, 1);
  });
});
