import type { Request, Response } from 'express';
import { whileWanted } from '../database/wanted';
import { TooMany } from '../errors';
import { UserGate } from './middlewares/user-gate';

/** Requests of one user that read at the same time in one API process, and those that may wait for that. */
const AT_ONCE = 3;
const MAY_WAIT = 100;
/** A client that takes its answer slowly keeps its place for at most so long. */
const SENDING_MS = 30_000;

/** What reads without being a GET. */
const READING_POSTS = /\/(find|backtest)$/;

/**
 * Charges reading to its user: a few requests at a time, until their answers have been taken. When the client closes the
 * connection, what runs for it ends.
 */
export class Reading {
  private readonly gate = new UserGate(AT_ONCE, MAY_WAIT);

  /** Runs `work`, and gives its place back when it has ended and the response has been sent or dropped. */
  async run<T>(userId: number, request: Request, response: Response, work: () => Promise<T>): Promise<T> {
    if (request.method !== 'GET' && request.method !== 'HEAD' && !READING_POSTS.test(request.path)) return work();
    const closed = new AbortController();
    const close = () => closed.abort(new TooMany('the request was given up', 1));
    response.once('close', close);
    if (response.destroyed) close();
    const leave = await this.gate.enter(userId, closed.signal);
    try {
      return await whileWanted(closed.signal, work);
    } finally {
      if (closed.signal.aborted) leave();
      else {
        const timer = setTimeout(leave, SENDING_MS);
        response.once('close', () => {
          clearTimeout(timer);
          leave();
        });
      }
    }
  }
}
