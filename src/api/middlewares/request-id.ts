import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

/** Gives every request an id, which the response carries as `X-Request-Id` and the log contains, too. */
export function requestId(_request: Request, response: Response, next: NextFunction): void {
  response.locals.requestId = randomUUID();
  response.setHeader('X-Request-Id', response.locals.requestId);
  next();
}
