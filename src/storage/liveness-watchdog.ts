import { setTimeout as sleep } from 'node:timers/promises';

const STEP_MS = 100;

/**
 * True once MySQL has not answered for `limitMs`, false once `signal` is aborted. An error is no answer. A suspension
 * of this process counts as one step: answers may be waiting.
 */
export async function untilUnresponsive(
  ask: () => Promise<unknown>,
  limitMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  let isAsking = false;
  let waitedMs = 0;
  const askOnce = async () => {
    isAsking = true;
    try {
      await ask();
      waitedMs = 0;
    } catch {
      // Probes again at the next step.
    }
    isAsking = false;
  };
  while (!signal.aborted && waitedMs < limitMs) {
    if (!isAsking) void askOnce();
    await sleep(STEP_MS);
    waitedMs += STEP_MS;
  }
  return !signal.aborted;
}
