import { AsyncLocalStorage } from 'node:async_hooks';

/** Charges whoever wants the work for the bytes of a large answer, and waits until there is room to assemble it. */
export type ChargeAnswer = (bytes: number) => Promise<void>;

const wanted = new AsyncLocalStorage<{ signal: AbortSignal; charge?: ChargeAnswer }>();

/** Runs `work` for somebody who may give it up: then its statements on the pool for reads end, and it fails with the signal's reason. */
export function whileWanted<T>(signal: AbortSignal, work: () => Promise<T>, charge?: ChargeAnswer): Promise<T> {
  return wanted.run({ signal, charge }, work);
}

/** Call this before a large answer is read, with the bytes of its texts. */
export async function chargeAnswer(bytes: number): Promise<void> {
  await wanted.getStore()?.charge?.(bytes);
}

/** The signal of the work under way; undefined where nobody can give it up. */
export function wantedSignal(): AbortSignal | undefined {
  return wanted.getStore()?.signal;
}

/** Throws the signal's reason once the work under way has been given up. */
export function requireWanted(): void {
  wanted.getStore()?.signal.throwIfAborted();
}
