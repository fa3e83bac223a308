import type { NextFunction, Request, Response } from 'express';
import type { Logger } from '../../logger';

/** One line per request. No query, no headers, no body: session ids and tokens travel there. */
export function requestLog(logger: Logger) {
  return (request: Request, response: Response, next: NextFunction) => {
    const started = performance.now();
    const { method, path } = request;
    response.once('finish', () => {
      const ms = Math.round((performance.now() - started) * 10) / 10;
      logger.debug({ requestId: response.locals.requestId, method, path, status: response.statusCode, ms }, 'request');
    });
    next();
  };
}
