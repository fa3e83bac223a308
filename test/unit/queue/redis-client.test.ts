import assert from 'node:assert/strict';
import type { Redis } from 'ioredis';
import { RedisClient } from '../../../src/queue';
import { Stopwatch } from '../../support/stopwatch';

const NEVER = new Promise<never>(() => undefined);

describe('the Redis client', () => {
  const clientOf = (parts: object) => new RedisClient(parts as unknown as Redis); // all that is used of it
  const ready = { status: 'ready' };

  it('returns the response', async () => {
    const client = clientOf({ ...ready, get: async () => 'kept' });
    assert.equal(await client.ask(1_000, (redis) => redis.get('thing')), 'kept');
    await assert.rejects(
      client.ask(1_000, () => Promise.reject(new Error('LOADING'))),
      /LOADING/,
    );
  });

  it('sends nothing while it is not connected', async () => {
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
    const watch = new Stopwatch();
    await assert.rejects(
      clientOf(ready).ask(50, () => NEVER),
      /did not answer in time/,
    );
    assert.ok(watch.stop() < 1_000);
  }).retries(2);

  it('sends nothing while a hundred responses are overdue, and resumes after one of them', async () => {
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
