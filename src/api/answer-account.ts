import type { ServerResponse } from 'node:http';
import type { ByteBudget } from '../fairness/byte-budget';
import type { Account, ChargedWork } from '../storage/cancellation';
import { LARGE_ANSWER_BYTES, LARGE_ANSWER_MS } from './knobs';
import { onceClosed } from './middlewares/closed-response';

/** Bytes of one answer until the client has read it, charged to its user. */
export class AnswerAccount implements Account {
  private held = 0;

  /** `mayRefuse`: false if something has been done, so that the answer is due whatever its size. */
  constructor(
    private readonly budget: ByteBudget,
    private readonly response: ServerResponse,
    readonly userId: number,
    readonly mayRefuse: boolean,
    readonly work?: ChargedWork,
  ) {
    if (!mayRefuse) budget.requireOpen(userId);
  }

  hold(bytes: number): void {
    const more = bytes - this.held;
    // A disconnected client reads nothing, and its connection closes only once: later charges would be held forever.
    if (more <= 0 || this.response.destroyed) return;
    if (this.mayRefuse) this.budget.charge(this.userId, more);
    else this.budget.count(this.userId, more);
    if (this.held === 0) onceClosed(this.response, () => this.budget.release(this.userId, this.held));
    const before = this.held;
    this.held = bytes;
    if (bytes > LARGE_ANSWER_BYTES && before <= LARGE_ANSWER_BYTES) this.limitTime();
  }

  private limitTime(): void {
    const deadline = setTimeout(() => this.response.destroy(), LARGE_ANSWER_MS);
    onceClosed(this.response, () => clearTimeout(deadline));
  }
}
