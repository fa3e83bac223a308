import type { NextFunction, Request, Response } from 'express';

/** `Cache-Control` of every response that says nothing else. */
export const NO_STORE = 'no-store';

/**
 * Lets nobody keep a response: most need a credential or hold a secret, and a cache on the way does not know that `X-SESSION_ID` is one.
 * Documents that are the same for everybody say afterwards how long they may be kept.
 */
export function keepNowhere(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Cache-Control', NO_STORE);
  next();
}
