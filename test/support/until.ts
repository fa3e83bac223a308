import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until the condition holds; after the limit it fails with the description of the condition. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  limitMs = 60_000,
): Promise<void> {
  const end = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`waited more than ${limitMs} ms until ${what}`);
    await sleep(10);
  }
}
