import { AsyncLocalStorage } from 'node:async_hooks';

const signals = new AsyncLocalStorage<AbortSignal>();

/** Runs `work` for somebody who may give it up: then its statements on the pool for reads end, and it fails with the signal's reason. */
export function whileWanted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return signals.run(signal, work);
}

/** The signal of the work under way; undefined where nobody can give it up. */
export function wantedSignal(): AbortSignal | undefined {
  return signals.getStore();
}

/** Throws the signal's reason once the work under way has been given up. */
export function requireWanted(): void {
  signals.getStore()?.throwIfAborted();
}
