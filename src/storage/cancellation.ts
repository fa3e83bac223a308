import { AsyncLocalStorage } from 'node:async_hooks';

/** What work in progress holds and computes, charged to a user. */
export interface ChargedWork {
  /** Charges bytes. Throws the user's error if they are too many. */
  charge(bytes: number): void;
  hasRoom(bytes: number): boolean;
  release(bytes: number): void;
  /** Runs a step of some milliseconds at most, and charges its time. */
  measure<T>(step: () => T): T;
  /** True if other work of the process should run now. */
  readonly isPauseDue: boolean;
  pause(): Promise<void>;
}

/** The user to whom the work is charged. */
export interface Account {
  readonly userId: number;
  readonly work?: ChargedWork;
  /** Charges the user for the total size of the answer. Throws the user's error if it is too large. */
  hold(bytes: number): void;
}

const wanted = new AsyncLocalStorage<{ signal: AbortSignal; account?: Account }>();

/**
 * Runs cancellable `work`. After an abort, its statements on the pool for reads end, and it fails with the signal's
 * reason.
 */
export function runCancellable<T>(signal: AbortSignal, work: () => Promise<T>, account?: Account): Promise<T> {
  return wanted.run({ signal, account }, work);
}

/** Call this before a large answer is read, with the bytes of its texts. */
export function chargeAnswer(bytes: number): void {
  wanted.getStore()?.account?.hold(bytes);
}

/** The signal of the current work; undefined if it is not cancellable. */
export function cancellationSignal(): AbortSignal | undefined {
  return wanted.getStore()?.signal;
}

/** Throws the signal's reason if the current work has been aborted. */
export function throwIfCancelled(): void {
  wanted.getStore()?.signal.throwIfAborted();
}

/** The user to whom the current work is charged; undefined if it is not charged. */
export function chargedUser(): number | undefined {
  return wanted.getStore()?.account?.userId;
}

/** What the current work holds and computes; undefined if it is not charged. */
export function chargedWork(): ChargedWork | undefined {
  return wanted.getStore()?.account?.work;
}
