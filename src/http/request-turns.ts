import type { Request, Response } from 'express';
import type { ByteBudget } from '../byte-budget';
import type { Caller, Visitor } from '../caller';
import { whileWanted } from '../database/wanted';
import { TooMany } from '../errors';
import { FairGate } from '../fair-gate';
import { AnswerAccount } from './answer-account';
import { onceClosed } from './middlewares/closed-response';
import { OwnerGate } from './owner-gate';

/** Requests of one owner at the same time in one API process, and those that may wait for that. */
const READS = { atOnce: 3, mayWait: 100 };
const CHANGES = { atOnce: 2, mayWait: 200 };
const VISITS = { atOnce: 4, mayWait: 200 };
/** Requests of each of these kinds that may wait in one API process; beyond it those with more than their share are refused. */
const MAY_WAIT_IN_ALL = 2_000;
/** Changes by all users: fewer than there are connections, so that others can read whatever they wait for. */
const CHANGES_AT_ONCE = 6;
/** A client that takes nothing of its answer for so long does without it. */
const STALLED_MS = 30_000;

/** What reads without being a GET. */
const READING_POSTS = /\/(find|backtest)$/;
/** What makes its steps take turns by itself: it may last, and would keep others from changing anything. */
const LONG_CHANGES = /^\/sensors\/[^/]+\/data$/;
/** The writer of data points shares itself out. */
const UPLOADS = /^\/sensors\/([^/]+\/)?data$/;
/** An upload of a device that can only send GET. */
const UPLOADS_BY_GET = /^\/sensors\/[^/]+\/data\/add$/;

/**
 * Charges requests to their users, and those without a session to their networks: a few at a time, while the others wait
 * in order.
 */
export class RequestTurns {
  private readonly reads = new OwnerGate<number>(READS.atOnce, READS.mayWait, MAY_WAIT_IN_ALL);
  private readonly changes = new OwnerGate<number>(CHANGES.atOnce, CHANGES.mayWait, MAY_WAIT_IN_ALL);
  private readonly allChanges = new FairGate<number>(CHANGES_AT_ONCE, CHANGES.atOnce, MAY_WAIT_IN_ALL);
  private readonly visits = new OwnerGate<string>(VISITS.atOnce, VISITS.mayWait, MAY_WAIT_IN_ALL);

  constructor(private readonly answers: ByteBudget) {}

  /** What the answer will hold is charged to this; throws where the user's answers hold too much already. Undefined where nobody is charged. */
  openAccount(caller: Caller | Visitor, request: Request, response: Response): AnswerAccount | undefined {
    if (!('userId' in caller) || isUpload(request)) return undefined;
    return new AnswerAccount(this.answers, response, caller.userId, isRead(request));
  }

  /**
   * Does `work` when it is the caller's turn; TooMany when too many of theirs wait. A user's place is given back when the work has ended and the
   * response has been sent or dropped: not all work ends with the connection. When the client closes that, what reads for it ends.
   */
  async run<T>(
    caller: Caller | Visitor,
    request: Request,
    response: Response,
    work: () => Promise<T>,
    account?: AnswerAccount,
  ): Promise<T> {
    if (isUpload(request)) return work();
    const closed = whenClosed(response);
    if (!('userId' in caller)) {
      const leave = await this.visits.enter(caller.network, closed);
      return work().finally(leave);
    }
    const { userId } = caller;
    const turns = isRead(request) ? this.reads : this.changes;
    const endOne = afterBoth(await turns.enter(userId, closed));
    onceClosed(response, endOne);
    response.setTimeout(STALLED_MS, () => response.destroy());
    try {
      if (isRead(request)) return await whileWanted(closed, work, account);
      return await (isLongChange(request) ? work() : this.allChanges.run(userId, work));
    } finally {
      endOne();
    }
  }
}

function isRead({ method, path }: Request): boolean {
  return method === 'GET' || method === 'HEAD' || READING_POSTS.test(path);
}

function isLongChange({ method, path }: Request): boolean {
  return method === 'DELETE' && LONG_CHANGES.test(path);
}

function isUpload({ method, path }: Request): boolean {
  return method === 'POST' ? UPLOADS.test(path) : UPLOADS_BY_GET.test(path);
}

/** A function that calls `then` at its second call: once both of two things have ended. */
function afterBoth(then: () => void): () => void {
  let left = 2;
  return () => {
    left -= 1;
    if (left === 0) then();
  };
}

function whenClosed(response: Response): AbortSignal {
  const closed = new AbortController();
  const close = () => closed.abort(new TooMany('the request was given up', 1));
  onceClosed(response, close);
  return closed.signal;
}
