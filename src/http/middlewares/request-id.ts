import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

/** Gives every request an id of our own; the answer carries it as `X-Request-Id`, the log has it too. */
export function requestId(_request: Request, response: Response, next: NextFunction): void {
  response.locals.requestId = randomUUID();
  response.setHeader('X-Request-Id', response.locals.requestId);
  next();
}
