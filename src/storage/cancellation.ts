import { AsyncLocalStorage } from 'node:async_hooks';
import { finishPaced } from '../platform/paced';
import { finishCharged, type Steps } from '../platform/steps';

export interface ChargedWork {
  /** Throws the user's error beyond the limit. */
  charge(bytes: number): void;
  hasRoom(bytes: number): boolean;
  release(bytes: number): void;
  measure<T>(step: () => T): T;
  /** True if other work of the process should run now. */
  readonly isPauseDue: boolean;
  pause(): Promise<void>;
}

export interface Account {
  readonly userId: number;
  readonly work?: ChargedWork;
  /** Charges the size of the whole answer. Throws the user's error beyond the limit. */
  hold(bytes: number): void;
}

const wanted = new AsyncLocalStorage<{ signal: AbortSignal; account?: Account }>();

/** After an abort, statements of `work` on the pool for reads end, and it fails with the signal's reason. */
export function runCancellable<T>(signal: AbortSignal, work: () => Promise<T>, account?: Account): Promise<T> {
  return wanted.run({ signal, account }, work);
}

/** Call before a large answer is read, with the bytes of its texts. */
export function chargeAnswer(bytes: number): void {
  wanted.getStore()?.account?.hold(bytes);
}

/** Undefined if the current work is not cancellable. */
export function cancellationSignal(): AbortSignal | undefined {
  return wanted.getStore()?.signal;
}

/** Throws the signal's reason after an abort. */
export function throwIfCancelled(): void {
  wanted.getStore()?.signal.throwIfAborted();
}

/** Undefined if the current work is not charged. */
export function chargedUser(): number | undefined {
  return wanted.getStore()?.account?.userId;
}

/** Undefined if the current work is not charged. */
export function chargedWork(): ChargedWork | undefined {
  return wanted.getStore()?.account?.work;
}

/** Runs steps of some milliseconds, which are charged to the user of the current work, if it has one. */
export function finishSteps<T>(steps: Steps<T>): Promise<T> {
  const work = chargedWork();
  return work ? finishCharged(steps, work) : finishPaced(steps);
}
