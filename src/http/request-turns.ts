import type { Request, Response } from 'express';
import type { Caller, Visitor } from '../caller';
import { whileWanted } from '../database/wanted';
import { TooMany } from '../errors';
import { FairGate } from '../fair-gate';
import { LargeAnswers } from './large-answers';
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
/** The writer of data points shares itself out. */
const UPLOADS = /^\/sensors\/([^/]+\/)?data$/;

/**
 * Charges requests to their users, and those without a session to their networks: a few at a time, while the others wait
 * in order.
 */
export class RequestTurns {
  private readonly reads = new OwnerGate<number>(READS.atOnce, READS.mayWait, MAY_WAIT_IN_ALL);
  private readonly changes = new OwnerGate<number>(CHANGES.atOnce, CHANGES.mayWait, MAY_WAIT_IN_ALL);
  private readonly largeAnswers = new LargeAnswers();
  private readonly allChanges = new FairGate<number>(CHANGES_AT_ONCE, CHANGES.atOnce, MAY_WAIT_IN_ALL);
  private readonly visits = new OwnerGate<string>(VISITS.atOnce, VISITS.mayWait, MAY_WAIT_IN_ALL);

  /** Runs `work` when it is the caller's turn; TooMany when too many of theirs wait. */
  async run<T>(caller: Caller | Visitor, request: Request, response: Response, work: () => Promise<T>): Promise<T> {
    const isRead = request.method === 'GET' || request.method === 'HEAD' || READING_POSTS.test(request.path);
    if (request.method === 'POST' && UPLOADS.test(request.path)) return work();
    const closed = whenClosed(response);
    if (!('userId' in caller)) return whileInside(await this.visits.enter(caller.network, closed), work);
    if (isRead) return this.read(caller.userId, response, closed, work);
    const change = () => this.allChanges.run(caller.userId, work);
    return whileInside(await this.changes.enter(caller.userId, closed), change);
  }

  /**
   * Gives the place back when the response has been sent or dropped. When the client closes the connection, what runs for it
   * ends.
   */
  private async read<T>(userId: number, response: Response, closed: AbortSignal, work: () => Promise<T>): Promise<T> {
    const leave = await this.reads.enter(userId, closed);
    const { charge, assembled } = this.largeAnswers.open(userId, response, closed);
    try {
      return await whileWanted(closed, work, { userId, charge });
    } finally {
      assembled();
      onceClosed(response, leave);
      response.setTimeout(STALLED_MS, () => response.destroy());
    }
  }
}

function whenClosed(response: Response): AbortSignal {
  const closed = new AbortController();
  const close = () => closed.abort(new TooMany('the request was given up', 1));
  onceClosed(response, close);
  return closed.signal;
}

function whileInside<T>(leave: () => void, work: () => Promise<T>): Promise<T> {
  return work().finally(leave);
}
