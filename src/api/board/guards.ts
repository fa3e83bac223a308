import type { NextFunction, Request, Response } from 'express';
import { Forbidden, PlatformError, Unavailable } from '../../platform/errors';
import type { Logger } from '../../platform/logger';
import type { RedisClient } from '../../queue';
import { isForeignChange } from '../middlewares/foreign-page';
import { visitorOf } from '../visitor';
import type { BoardRole } from './login';

const REDIS_WAIT_MS = 1_000;
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Pages of other sites: browsers add the board's login to their requests. Such pages cannot read responses, so reads
 * are harmless.
 */
export function refuseForeignChanges(request: Request, _response: Response, next: NextFunction): void {
  if (isForeignChange(request)) throw new Forbidden('pages of other sites may not use the board', 'foreign_page');
  next();
}

export function roleOf(response: Response): BoardRole {
  return response.locals.boardRole === 'act' ? 'act' : 'look';
}

export function refuseLookers({ method }: Request, response: Response, next: NextFunction): void {
  if (!READING.has(method) && roleOf(response) === 'look') throw new Forbidden('this login may look at the board only');
  next();
}

/** A page of another site cannot send JSON without a preflight request (Fetch standard). */
export function requireJson(request: Request, _response: Response, next: NextFunction): void {
  const type = request.get('content-type');
  const mayLack = READING.has(request.method) || (request.method !== 'POST' && !hasBody(request));
  if (type === undefined ? !mayLack : !/^application\/json\s*(;|$)/i.test(type)) {
    throw new PlatformError(415, 'unreadable_type', 'the board accepts application/json only');
  }
  next();
}

/** While Redis is unreachable: commands of queues would wait, and the page polls every few seconds. */
export function requireRedis(redis: RedisClient) {
  return async (_request: Request, _response: Response, next: NextFunction) => {
    await redis
      .ask(REDIS_WAIT_MS, (connection) => connection.ping())
      .catch(() => {
        throw new Unavailable('Redis is not available at the moment');
      });
    next();
  };
}

/** Logs changes with the operator's address. */
export function logChanges(logger: Logger) {
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
