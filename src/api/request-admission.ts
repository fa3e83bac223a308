import type { Response } from 'express';
import type { ByteBudget } from '../fairness/byte-budget';
import { FairSemaphore } from '../fairness/fair-semaphore';
import { WorkAccount, type WorkLimits } from '../fairness/work-account';
import type { Identity, Visitor } from '../platform/caller';
import { runCancellable } from '../storage/cancellation';
import { AnswerAccount } from './answer-account';
import { CHANGES, CHANGES_AT_ONCE, READS, STALLED_MS, VISITS, WAITING } from './knobs';
import { onceClosed, whenClosed } from './middlewares/closed-response';

/**
 * Uploads are admitted by the group commit, which is fair by itself; agents' callers are never cached. A long change
 * proceeds in fair steps. An awaited change is completed without a permit: its answer waits for a worker.
 */
export type Kind = 'read' | 'change' | 'long-change' | 'awaited-change' | 'upload' | 'agent-upload';

/** Admits a few requests at a time by user, or by network without a session, while others wait in order. */
export class RequestAdmission {
  private readonly reads = new FairSemaphore<number>({ ...READS, waiting: WAITING });
  private readonly changes = new FairSemaphore<number>({ ...CHANGES, waiting: WAITING });
  private readonly allChanges = new FairSemaphore<number>({ atOnce: CHANGES_AT_ONCE, waiting: WAITING });
  private readonly visits = new FairSemaphore<string>({ ...VISITS, waiting: WAITING });

  constructor(
    private readonly answers: ByteBudget,
    private readonly work: WorkLimits,
    private readonly stalledMs = STALLED_MS,
  ) {}

  /** Throws if the user's answers hold too much. Undefined if no user is charged. */
  openAccount(caller: Identity | Visitor, kind: Kind, response: Response): AnswerAccount | undefined {
    if (!('userId' in caller) || isUpload(kind)) return undefined;
    const { userId } = caller;
    return new AnswerAccount(this.answers, response, userId, kind === 'read', new WorkAccount(this.work, userId));
  }

  /**
   * Runs `work` with a permit. Throws TooMany if too many requests wait. A user's permit lasts until the work has ended
   * and the response was sent or dropped; of an awaited change until the work has ended. A closed connection cancels
   * reads. A client that reads nothing for 30 seconds is disconnected.
   */
  async run<T>(
    caller: Identity | Visitor,
    kind: Kind,
    response: Response,
    work: () => Promise<T>,
    account?: AnswerAccount,
  ): Promise<T> {
    if (isUpload(kind)) return work();
    const closed = whenClosed(response);
    if (!('userId' in caller)) {
      const leave = await this.visits.enter(caller.network, closed);
      return (kind === 'read' ? runCancellable(closed, work) : work()).finally(leave);
    }
    const { userId } = caller;
    const admission = kind === 'read' ? this.reads : this.changes;
    const leave = await admission.enter(userId, closed);
    const endOne = kind === 'awaited-change' ? leave : afterBoth(leave);
    onceClosed(response, endOne);
    try {
      if (kind === 'read') return await runCancellable(closed, work, account);
      return await (kind === 'long-change' ? work() : this.allChanges.run(userId, work));
    } finally {
      endOne();
      // Not before: during the work the client has nothing to read.
      response.setTimeout(this.stalledMs, () => response.destroy());
    }
  }
}

function isUpload(kind: Kind): boolean {
  return kind === 'upload' || kind === 'agent-upload';
}

/** Calls `then` at the second call. */
function afterBoth(then: () => void): () => void {
  let left = 2;
  return () => {
    left -= 1;
    if (left === 0) then();
  };
}
