import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { untilUnresponsive } from '../../../src/storage/liveness-watchdog';

const LIMIT_MS = 300;
const NEVER = new Promise<never>(() => undefined);

describe('a server that may be gone', () => {
  /** The result when it is asked with `ask`, three times at most; and how often it was asked. */
  async function outcomeOf(ask: () => Promise<unknown>): Promise<{ isGone: boolean; times: number }> {
    const closed = new AbortController();
    let times = 0;
    const counted = () => {
      times += 1;
      if (times === 3) closed.abort();
      return ask();
    };
    return { isGone: await untilUnresponsive(counted, LIMIT_MS, closed.signal), times };
  }

  it('is there while it answers, and asked again until nobody wants to know', async () => {
    assert.deepEqual(await outcomeOf(async () => 1), { isGone: false, times: 3 });
  });

  it('is there when its answer waits because this process stands still', async () => {
    const ask = async () => {
      await setImmediate();
      for (const end = performance.now() + LIMIT_MS; performance.now() < end; );
    };
    assert.deepEqual(await outcomeOf(ask), { isGone: false, times: 3 });
  });

  it('is gone when it does not answer, or cannot be asked', async () => {
    assert.deepEqual(await outcomeOf(() => NEVER), { isGone: true, times: 1 });
    const closed = new AbortController();
    const refused = () => Promise.reject(new Error('EHOSTUNREACH'));
    assert.equal(await untilUnresponsive(refused, LIMIT_MS, closed.signal), true);
  });
});
