import assert from 'node:assert/strict';
import type { Redis } from 'ioredis';
import { RedisClient } from '../../../src/redis';

const NEVER = new Promise<never>(() => undefined);

describe('a question to Redis', () => {
  const clientOf = (parts: object) => new RedisClient(parts as unknown as Redis); // all that is used of it
  const ready = { status: 'ready' };

  it('gets the answer', async () => {
    const client = clientOf({ ...ready, get: async () => 'kept' });
    assert.equal(await client.ask(1_000, (redis) => redis.get('thing')), 'kept');
    await assert.rejects(
      client.ask(1_000, () => Promise.reject(new Error('LOADING'))),
      /LOADING/,
    );
  });

  it('is not sent while the connection is lost', async () => {
    for (const status of ['connecting', 'connect', 'reconnecting', 'close', 'end']) {
      let sent = false;
      const command = async () => {
        sent = true;
      };
      await assert.rejects(clientOf({ status }).ask(1_000, command), /not connected/);
      assert.equal(sent, false, status);
    }
  });

  it('fails after the given time', async () => {
    const begun = Date.now();
    await assert.rejects(
      clientOf(ready).ask(50, () => NEVER),
      /did not answer in time/,
    );
    assert.ok(Date.now() - begun < 1_000);
  });

  it('is not sent while a hundred others are overdue, and is sent again once one of them is answered', async () => {
    const client = clientOf(ready);
    let answer: (value: string) => void = () => undefined;
    const overdue = [
      client.ask(1, () => new Promise<string>((resolve) => (answer = resolve))),
      ...Array.from({ length: 99 }, () => client.ask(1, () => NEVER)),
    ];
    for (const asked of await Promise.allSettled(overdue)) assert.equal(asked.status, 'rejected');
    await assert.rejects(
      client.ask(1_000, async () => 'sent'),
      /does not answer/,
    );
    answer('late');
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(await client.ask(1_000, async () => 'sent'), 'sent');
  });
});
