import type { NextFunction, Request, Response } from 'express';

/** Default `Cache-Control` of responses. */
export const NO_STORE = 'no-store';

/**
 * Prevents caching of responses: most need a credential or hold a secret, and a proxy does not know that `X-SESSION_ID`
 * is a credential. Public documents set later how long they may be cached.
 */
export function keepNowhere(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Cache-Control', NO_STORE);
  next();
}
