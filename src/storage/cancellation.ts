import { AsyncLocalStorage } from 'node:async_hooks';

/** On whose account the work is done. */
export interface Account {
  readonly userId: number;
  /** Charges the user for what the answer holds in all; throws what they are answered when it is too much. */
  hold(bytes: number): void;
}

const wanted = new AsyncLocalStorage<{ signal: AbortSignal; account?: Account }>();

/** Runs `work` for somebody who may give it up: then its statements on the pool for reads end, and it fails with the signal's reason. */
export function runCancellable<T>(signal: AbortSignal, work: () => Promise<T>, account?: Account): Promise<T> {
  return wanted.run({ signal, account }, work);
}

/** Call this before a large answer is read, with the bytes of its texts. */
export function chargeAnswer(bytes: number): void {
  wanted.getStore()?.account?.hold(bytes);
}

/** The signal of the work under way; undefined where nobody can give it up. */
export function cancellationSignal(): AbortSignal | undefined {
  return wanted.getStore()?.signal;
}

/** Throws the signal's reason once the work under way has been given up. */
export function throwIfCancelled(): void {
  wanted.getStore()?.signal.throwIfAborted();
}

/** The user on whose account the work under way is done; undefined where nobody is charged. */
export function chargedUser(): number | undefined {
  return wanted.getStore()?.account?.userId;
}
