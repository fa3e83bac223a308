import type { NextFunction, Request, Response } from 'express';
import type { Logger } from '../../logger';

/** Logs one line per request, without query, headers and body: these may contain session ids and tokens. */
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
