import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Stopwatch, timed } from '../support/stopwatch';

/** This process does not come to run for so long. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe('the stopwatch of the tests', () => {
  it('counts the time that somebody waits', async () => {
    const ms = await timed(() => sleep(200));
    assert.ok(ms >= 50 && ms < 400, `${ms} ms`);
  }).retries(2);

  it('counts the time in which this process computes without a pause', async () => {
    const ms = await timed(() => {
      const { user, system } = process.cpuUsage();
      let used = 0;
      while (used < 300_000) {
        const now = process.cpuUsage();
        used = now.user + now.system - user - system;
      }
    });
    // Of these 300 ms other threads of the process have had some.
    assert.ok(ms >= 200, `${ms} ms`);
  });

  it('does not count the time in which the machine stands still', async () => {
    const used = process.cpuUsage();
    const watch = new Stopwatch();
    await sleep(20);
    standStill(1_000);
    await sleep(20);
    const ms = watch.stop();
    // Other threads of the process may compute meanwhile, which counts.
    const { user, system } = process.cpuUsage(used);
    const computedMs = (user + system) / 1_000;
    assert.ok(ms - computedMs < 500, `${ms} ms, of which ${computedMs} ms computing`);
  }).retries(2);
});
