import { AsyncLocalStorage } from 'node:async_hooks';

/** Charges the caller for the bytes of a large answer, and waits until there is room to assemble it. */
export type ChargeAnswer = (bytes: number) => Promise<void>;

/** On whose account the work is done. */
export interface Account {
  userId: number;
  charge: ChargeAnswer;
}

const wanted = new AsyncLocalStorage<{ signal: AbortSignal; account?: Account }>();

/** Runs `work` for somebody who may give it up: then its statements on the pool for reads end, and it fails with the signal's reason. */
export function whileWanted<T>(signal: AbortSignal, work: () => Promise<T>, account?: Account): Promise<T> {
  return wanted.run({ signal, account }, work);
}

/** Call this before a large answer is read, with the bytes of its texts. */
export async function chargeAnswer(bytes: number): Promise<void> {
  await wanted.getStore()?.account?.charge(bytes);
}

/** The signal of the work under way; undefined where nobody can give it up. */
export function wantedSignal(): AbortSignal | undefined {
  return wanted.getStore()?.signal;
}

/** Throws the signal's reason once the work under way has been given up. */
export function requireWanted(): void {
  wanted.getStore()?.signal.throwIfAborted();
}

/** The user on whose account the work under way is done; undefined where nobody is charged. */
export function wantedBy(): number | undefined {
  return wanted.getStore()?.account?.userId;
}
