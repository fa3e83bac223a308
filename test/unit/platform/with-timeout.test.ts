import assert from 'node:assert/strict';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { withTimeout } from '../../../src/platform/with-timeout';

const NEVER = new Promise<never>(() => undefined);

describe('withTimeout', () => {
  it('returns the result of the work and leaves no timer behind', async () => {
    let isLate = false;
    const late = () => {
      isLate = true;
      return new Error('late');
    };
    assert.equal(await withTimeout(1, Promise.resolve(7), late), 7);
    await assert.rejects(withTimeout(1, Promise.reject(new Error('broken')), late), /broken/);
    // This timer is later and longer, so a remaining one would have fired before.
    await setTimeout(2);
    assert.equal(isLate, false);
  });

  it('fails with the given error when the time is over', async () => {
    await assert.rejects(withTimeout(1, NEVER), /no result in time/);
    await assert.rejects(
      withTimeout(1, NEVER, () => new RangeError('too slow')),
      RangeError,
    );
  });

  it('ignores a failure of the work after the timeout', async () => {
    let fail: (error: Error) => void = () => undefined;
    const work = new Promise<never>((_, reject) => {
      fail = reject;
    });
    await assert.rejects(withTimeout(1, work), /no result in time/);
    const unheard: unknown[] = [];
    const listen = (error: unknown) => unheard.push(error);
    process.on('unhandledRejection', listen);
    fail(new Error('later'));
    await setImmediate();
    process.off('unhandledRejection', listen);
    assert.deepEqual(unheard, []);
  });
});
