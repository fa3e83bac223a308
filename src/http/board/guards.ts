import type { NextFunction, Request, Response } from 'express';
import { Forbidden, PlatformError, Unavailable } from '../../errors';
import type { Logger } from '../../logger';
import type { RedisClient } from '../../redis';
import { visitorOf } from '../authentication';
import { isForeignChange } from '../middlewares/foreign-page';

const REDIS_WAIT_MS = 1_000;
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A browser adds the board's login to requests that pages of other sites make: these may look at nothing (they cannot
 * read the response) and change nothing.
 */
export function foreignChangesRefused(request: Request, _response: Response, next: NextFunction): void {
  if (isForeignChange(request)) throw new Forbidden('a page of another site may not use the board', 'foreign_page');
  next();
}

/** Only JSON, which a page of another site cannot send without asking first (Fetch standard, CORS-safelisted types). */
export function jsonOnly(request: Request, _response: Response, next: NextFunction): void {
  const type = request.get('content-type');
  const mayLack = READING.has(request.method) || (request.method !== 'POST' && !hasBody(request));
  if (type === undefined ? !mayLack : !/^application\/json\s*(;|$)/i.test(type)) {
    throw new PlatformError(415, 'unreadable_type', 'the board takes application/json only');
  }
  next();
}

/** Fails at once while Redis is away: commands of the queues would wait for it, and pages ask again every few seconds. */
export function redisReady(redis: RedisClient) {
  return async (_request: Request, _response: Response, next: NextFunction) => {
    await redis
      .ask(REDIS_WAIT_MS, (connection) => connection.ping())
      .catch(() => {
        throw new Unavailable('Redis is not available at the moment');
      });
    next();
  };
}

/** Logs who changed what on the board: there may be several operators, and a retry sends what users wrote. */
export function changeLog(logger: Logger) {
  return (request: Request, response: Response, next: NextFunction) => {
    const { method, originalUrl: path } = request;
    if (!READING.has(method)) {
      const { address } = visitorOf(request);
      response.once('finish', () =>
        logger.info({ address, method, path, status: response.statusCode }, 'board change'),
      );
    }
    next();
  };
}

function hasBody(request: Request): boolean {
  return request.get('transfer-encoding') !== undefined || Number(request.get('content-length') ?? 0) > 0;
}
