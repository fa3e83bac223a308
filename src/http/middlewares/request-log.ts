import type { ServerResponse } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from '../../logger';

/** Logs every request. */
export function requestLog(logger: Logger) {
  return ({ method, path }: Request, response: Response, next: NextFunction) => {
    logWhenSent(logger, response, { requestId: response.locals.requestId, method, path, startedMs: performance.now() });
    next();
  };
}

/** Logs one line when a response was sent, without query, headers and body: these may contain session ids and tokens. */
export function logWhenSent(
  logger: Logger,
  response: ServerResponse,
  { requestId, method, path, startedMs }: { requestId: string; method: string; path: string; startedMs: number },
): void {
  response.once('finish', () => {
    const ms = Math.round((performance.now() - startedMs) * 10) / 10;
    logger.debug({ requestId, method, path, status: response.statusCode, ms }, 'request');
  });
}
