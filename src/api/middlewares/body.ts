import type { NextFunction, Request, Response } from 'express';
import { forgetForm, keepForm } from './as-sent';
import { type Bodies, isSurelySmall } from './bodies';
import { onceAnswered } from './closed-response';
import { parseBody, readLabel } from './parse-body';

/** Mail programs post a body of any type there (RFC 8058). Everything that counts is in the address. */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['/unsubscribe', '/confirm', '/acknowledge']);

/** Finds the user who is charged for a large body, before it is read; undefined if there is none. */
export type FindPayer = (request: Request) => Promise<number | undefined>;

/**
 * Reads the body, unless it has been read. A large one needs a session, a key or a token in the head of the request.
 */
export function readBody(bodies: Bodies, findPayer: FindPayer) {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    request.body = {};
    if (request.method === 'GET' || request.method === 'HEAD') return next();
    if (WITHOUT_BODY.has(request.path)) {
      request.resume();
      return next();
    }
    const kept = bodies.take(request);
    request.body = kept ? kept.body : await parsed(bodies, findPayer, request, response);
    // The user is no longer charged for it then, and node keeps the request until the client has read the answer.
    onceAnswered(response, () => {
      request.body = {};
      forgetForm(request);
    });
    next();
  };
}

async function parsed(bodies: Bodies, findPayer: FindPayer, request: Request, response: Response): Promise<unknown> {
  const userId = isSurelySmall(request) ? undefined : await findPayer(request);
  const bytes = await bodies.read(request, response, userId);
  keepForm(request, bytes);
  const jsonSuffix = response.locals.jsonSuffix === true;
  const label = { type: request.headers['content-type'], path: request.path, jsonSuffix };
  return parseBody(bytes, readLabel(label));
}
