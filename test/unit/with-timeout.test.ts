import assert from 'node:assert/strict';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { withTimeout } from '../../src/with-timeout';

const NEVER = new Promise<never>(() => undefined);

describe('within', () => {
  it('answers what the work comes to, and leaves no timer behind', async () => {
    let isLate = false;
    const late = () => {
      isLate = true;
      return new Error('late');
    };
    assert.equal(await withTimeout(1, Promise.resolve(7), late), 7);
    await assert.rejects(withTimeout(1, Promise.reject(new Error('broken')), late), /broken/);
    // A timer that is set later, and for longer: theirs would have run before.
    await setTimeout(2);
    assert.equal(isLate, false);
  });

  it('fails once the time is over, with the error that was asked for', async () => {
    await assert.rejects(withTimeout(1, NEVER), /no answer in time/);
    await assert.rejects(
      withTimeout(1, NEVER, () => new RangeError('too slow')),
      RangeError,
    );
  });

  it('lets work fail unheard that nobody waits for any more', async () => {
    let fail: (error: Error) => void = () => undefined;
    const work = new Promise<never>((_, reject) => {
      fail = reject;
    });
    await assert.rejects(withTimeout(1, work), /no answer in time/);
    const unheard: unknown[] = [];
    const listen = (error: unknown) => unheard.push(error);
    process.on('unhandledRejection', listen);
    fail(new Error('later'));
    await setImmediate();
    process.off('unhandledRejection', listen);
    assert.deepEqual(unheard, []);
  });
});
