import type { ServerResponse } from 'node:http';
import { ByteBudget } from '../fairness/byte-budget';
import { TooMany, Unavailable } from '../platform/errors';
import type { Account } from '../storage/cancellation';
import { onceClosed } from './middlewares/closed-response';

/**
 * Maximum number of bytes that answers hold: texts from before they are read until the client has read them, and unsent
 * data of streams. A character takes one byte, or two if its text has a character outside Latin-1.
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
/** From this size on, the client must read an answer within the time limit. */
const LARGE_BYTES = 1024 * 1024;
const TAKEN_MS = 300_000;

/** The budget of a process for all data that it sends. */
export function openAnswerBudget(): ByteBudget {
  return new ByteBudget(HELD, REFUSALS);
}

/** The bytes that one answer holds until the client has read it, charged to its user. */
export class AnswerAccount implements Account {
  private held = 0;

  /** `mayRefuse`: false if something has already been done, so that the answer is due whatever its size. */
  constructor(
    private readonly budget: ByteBudget,
    private readonly response: ServerResponse,
    readonly userId: number,
    readonly mayRefuse: boolean,
  ) {
    if (!mayRefuse) budget.requireOpen(userId);
  }

  /** Sets the total size of the answer, and charges the increase. Throws the client's error if it is too much. */
  hold(bytes: number): void {
    const more = bytes - this.held;
    // A client that has disconnected reads nothing, and its connection closes only once: later charges would be held
    // forever.
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
