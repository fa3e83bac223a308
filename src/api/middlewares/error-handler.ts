import { ValidateError } from '@tsoa/runtime';
import type { Response } from 'express';
import { InvalidInput, PlatformError, TakesTooLong, TooMany, Unavailable } from '../../platform/errors';
import type { Logger } from '../../platform/logger';
import type { ErrorBody } from '../../resources/formats/error.view';
import { isAway, isOverTime, isTransient } from '../../storage/mysql-errors';
import { type ResponseHeaders, showAllowance } from './limit-requests';

/** Answers a request that failed. If its response has begun, only a broken connection shows that it is incomplete. */
export function answerError(error: unknown, response: Response, logger: Logger): void {
  if (response.headersSent) {
    const { requestId } = response.locals;
    if (!response.destroyed) logger.error({ requestId, err: error }, 'request failed after its response had begun');
    response.destroy();
    return;
  }
  const { status, body } = describeError(error, response, response.locals.requestId, logger);
  response.status(status).json(body);
}

/**
 * Turns every error into a status and `{ error, code, fields? }`, and sets `Retry-After` and `WWW-Authenticate` if
 * there is one. An internal error is logged, and the body contains only the id of the request.
 */
export function describeError(
  error: unknown,
  response: ResponseHeaders,
  requestId: string,
  logger: Logger,
): { status: number; body: ErrorBody } {
  const known = toPlatformError(error);
  if (!known) {
    logger.error({ requestId, err: error }, 'request failed');
    const body = { error: 'something went wrong on our side', code: 'internal_error', request_id: requestId } as const;
    return { status: 500, body };
  }
  const { status, message, code, fields, retryAfterSeconds, challenge } = known;
  if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(retryAfterSeconds));
  if (known instanceof TooMany) showAllowance(response, known.allowance);
  if (challenge !== undefined) response.setHeader('WWW-Authenticate', challenge);
  if (status >= 500) logger.warn({ requestId, reason: String(error) }, 'unavailable');
  return { status, body: { error: message, code, ...(fields ? { fields } : {}) } };
}

function toPlatformError(error: unknown): PlatformError | undefined {
  if (error instanceof PlatformError) return error;
  if (error instanceof ValidateError) return fromValidation(error);
  if (error instanceof URIError)
    return new InvalidInput('the path contains an invalid %-escape', undefined, 'bad_path');
  if (isOverTime(error)) return new TakesTooLong();
  return isAway(error) || isTransient(error) ? new Unavailable() : undefined;
}

function fromValidation({ fields }: ValidateError): InvalidInput {
  const reasons = Object.fromEntries(Object.entries(fields).map(([path, { message }]) => [path, message]));
  const [first] = Object.entries(reasons);
  return new InvalidInput(first ? `${first[0]} ${first[1]}` : 'the input is invalid', reasons);
}
