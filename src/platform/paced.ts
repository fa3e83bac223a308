import { setImmediate as nextTick } from 'node:timers/promises';
import type { Steps } from './steps';

const PAUSE_AFTER_MS = 20;

/** Other work of the process runs every 20 ms. */
export async function* paced<T>(items: Iterable<T>): AsyncGenerator<T, void> {
  let pausedAt = performance.now();
  for (const item of items) {
    if (performance.now() - pausedAt > PAUSE_AFTER_MS) {
      await nextTick();
      pausedAt = performance.now();
    }
    yield item;
  }
}

/** Other work of the process runs every 20 ms. */
export async function finishPaced<T>(steps: Steps<T>): Promise<T> {
  let pausedAt = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - pausedAt <= PAUSE_AFTER_MS) continue;
    await nextTick();
    pausedAt = performance.now();
  }
}
