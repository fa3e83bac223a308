import { setTimeout as sleep } from 'node:timers/promises';

const STEP_MS = 100;

/**
 * Probes MySQL repeatedly. Returns true once it has not answered for `limitMs`, and false once `signal` is aborted. An
 * error does not count as an answer. Time in which this process is suspended counts as one step, because answers may be
 * waiting.
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
      // It is probed again at the next step.
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
