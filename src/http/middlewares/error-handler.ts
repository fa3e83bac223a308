import { ValidateError } from '@tsoa/runtime';
import type { NextFunction, Request, Response } from 'express';
import { isAway, isOverTime, isTransient } from '../../database/mysql-errors';
import { InvalidInput, PlatformError, Unavailable } from '../../errors';
import type { Logger } from '../../logger';

const TOO_MUCH =
  'this takes too long to read; ask for less: fewer sensors, a shorter range of time, or pages nearer to the beginning';

/** Turns every error into `{ error, code, fields? }`. An internal error is logged, and only its id is in the response. */
export function errorHandler(logger: Logger) {
  return (error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    const known = toPlatformError(error);
    if (known) {
      if (known.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(known.retryAfterSeconds));
      if (known.status >= 500)
        logger.warn({ requestId: response.locals.requestId, reason: String(error) }, 'unavailable');
      const { status, message, code, fields } = known;
      response.status(status).json({ error: message, code, ...(fields ? { fields } : {}) });
      return;
    }
    const requestId: unknown = response.locals.requestId;
    logger.error({ requestId, err: error }, 'request failed');
    response
      .status(500)
      .json({ error: 'something went wrong on our side', code: 'internal_error', request_id: requestId });
  };
}

function toPlatformError(error: unknown): PlatformError | undefined {
  if (error instanceof PlatformError) return error;
  if (error instanceof ValidateError) return fromValidation(error);
  if (error instanceof URIError)
    return new InvalidInput('the path contains an invalid %-escape', undefined, 'bad_path');
  if (isOverTime(error)) return new InvalidInput(TOO_MUCH, undefined, 'too_complex');
  return isAway(error) || isTransient(error) ? new Unavailable() : undefined;
}

function fromValidation({ fields }: ValidateError): InvalidInput {
  const reasons = Object.fromEntries(Object.entries(fields).map(([path, { message }]) => [path, message]));
  const [first] = Object.entries(reasons);
  return new InvalidInput(first ? `${first[0]} ${first[1]}` : 'the input is invalid', reasons);
}
