import type { ServerResponse } from 'node:http';
import { ByteBudget } from '../fairness/byte-budget';
import { TooMany, Unavailable } from '../platform/errors';
import type { Account } from '../storage/cancellation';
import { onceClosed } from './middlewares/closed-response';

/**
 * Bytes that answers hold: texts from before they are read until the client has taken them, and what streams have not sent yet. A character
 * takes a byte, or two where a text has one that is not in Latin-1.
 */
const HELD = {
  ofUser: 96 * 1024 * 1024,
  ofAll: 192 * 1024 * 1024,
  reserve: { bytes: 32 * 1024 * 1024, upTo: 2 * 1024 * 1024 },
};
const REFUSALS = {
  ofUser: () => new TooMany('too many of your large responses have not been taken yet', 1),
  ofAll: () => new Unavailable('too many large responses are being sent at the moment', 1),
};
/** From so many bytes on, an answer has to be taken within this time. */
const LARGE_BYTES = 1024 * 1024;
const TAKEN_MS = 300_000;

/** The one budget of a process for everything that it sends. */
export function openAnswerBudget(): ByteBudget {
  return new ByteBudget(HELD, REFUSALS);
}

/** What one answer holds until it has been taken, at the expense of its user. */
export class AnswerAccount implements Account {
  private held = 0;

  /** `mayRefuse`: not where something has been done already, whose answer is due whatever it holds. */
  constructor(
    private readonly budget: ByteBudget,
    private readonly response: ServerResponse,
    readonly userId: number,
    readonly mayRefuse: boolean,
  ) {
    if (!mayRefuse) budget.requireOpen(userId);
  }

  /** The answer holds so many bytes in all: charges what is more than before. Throws what the client is answered when it is too much. */
  hold(bytes: number): void {
    const more = bytes - this.held;
    // A client that has gone takes nothing, and its connection closes only once: what is charged after that would be held for good.
    if (more <= 0 || this.response.destroyed) return;
    if (this.mayRefuse) this.budget.charge(this.userId, more);
    else this.budget.count(this.userId, more);
    if (this.held === 0) onceClosed(this.response, () => this.budget.release(this.userId, this.held));
    const before = this.held;
    this.held = bytes;
    if (bytes > LARGE_BYTES && before <= LARGE_BYTES) this.limitTime();
  }

  private limitTime(): void {
    const deadline = setTimeout(() => this.response.destroy(), TAKEN_MS);
    onceClosed(this.response, () => clearTimeout(deadline));
  }
}
