import { setImmediate as nextTick } from 'node:timers/promises';

const PAUSE_AFTER_MS = 20;

/** These items. After 20 ms of work on them other work of the process runs first. */
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
