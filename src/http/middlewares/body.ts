import type { NextFunction, Request, Response } from 'express';
import { type Bodies, isSurelySmall } from './bodies';
import { parseBody } from './parse-body';
import { readSessionToken } from './session-token';

/** Mail programs post a body of a type of their choice there (RFC 8058); everything that counts is in the address. */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['/unsubscribe', '/confirm']);

/** Finds the user of a session, so that they can be charged for a large body before it is read. */
export type FindUser = (token: string) => Promise<{ userId: number } | null>;

/** Reads the body, unless that has been done; what is large needs a session in the header, the cookie or the query. */
export function readBody(bodies: Bodies, findUser: FindUser) {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    request.body = {};
    if (request.method === 'GET' || request.method === 'HEAD') return next();
    if (WITHOUT_BODY.has(request.path)) {
      request.resume();
      return next();
    }
    const kept = bodies.kept(request);
    request.body = kept ? kept.body : await parsed(bodies, findUser, request, response);
    next();
  };
}

async function parsed(bodies: Bodies, findUser: FindUser, request: Request, response: Response): Promise<unknown> {
  const userId = isSurelySmall(request) ? undefined : await userOf(request, findUser);
  const bytes = await bodies.read(request, response, userId);
  const jsonSuffix = response.locals.jsonSuffix === true;
  return parseBody(bytes, { type: request.headers['content-type'], path: request.path, jsonSuffix });
}

async function userOf(request: Request, findUser: FindUser): Promise<number | undefined> {
  const given = readSessionToken(request);
  return given && (await findUser(given.token))?.userId;
}
