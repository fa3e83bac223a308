import type { Response } from 'express';
import type { ChargeAnswer } from '../database/wanted';
import { TooMany, Unavailable } from '../errors';
import { FairGate } from '../fair-gate';
import { ByteBudget } from './middlewares/byte-budget';
import { onceClosed } from './middlewares/closed-response';

/** Texts of large responses, from before they are read until the client has taken the response. */
const HELD = { ofUser: 96 * 1024 * 1024, ofAll: 256 * 1024 * 1024 };
const REFUSALS = {
  ofUser: () => new TooMany('too many of your large responses have not been taken yet', 1),
  ofAll: () => new Unavailable('too many large responses are being sent at the moment', 1),
};
/** Assembling one takes several times its bytes, and keeps the process busy. */
const AT_ONCE = 1;
const MAY_WAIT = 3;
/** A client that takes its response more slowly does without it. */
const TAKEN_MS = 300_000;

/** Large responses: assembled one after the other by turns of their users, and charged to them until they are taken. */
export class LargeAnswers {
  private readonly budget = new ByteBudget(HELD, REFUSALS);
  private readonly gate = new FairGate<number>(AT_ONCE, MAY_WAIT);

  /** Charges the user of a request. The function `assembled` is to be called when the response has been handed over. */
  open(userId: number, response: Response, closed: AbortSignal): { charge: ChargeAnswer; assembled: () => void } {
    const leaving: (() => void)[] = [];
    const charge = async (bytes: number) => {
      leaving.push(await this.gate.enter(userId, closed));
      this.budget.charge(userId, bytes);
      const deadline = setTimeout(() => response.destroy(), TAKEN_MS);
      const release = () => {
        clearTimeout(deadline);
        this.budget.release(userId, bytes);
      };
      onceClosed(response, release);
    };
    const assembled = () => {
      for (const leave of leaving) setImmediate(leave);
    };
    return { charge, assembled };
  }
}
