import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again and again until the condition holds; past the limit it fails, and names what did not come. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  limitMs = 10_000,
): Promise<void> {
  const end = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`waited ${limitMs} ms in vain until ${what}`);
    await sleep(10);
  }
}
