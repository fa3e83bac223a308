import { ValidateError } from '@tsoa/runtime';
import type { Response } from 'express';
import type { ErrorBody } from '../../edge/error.view';
import {
  InvalidInput,
  PlatformError,
  SecondFactorRequired,
  TakesTooLong,
  TooMany,
  Unavailable,
} from '../../platform/errors';
import type { Logger } from '../../platform/logger';
import { Words } from '../../platform/words/words';
import type { Database } from '../../storage';
import { isMigrated } from '../../storage/migrations';
import { isAway, isOverTime, isTransient, isUnknownName } from '../../storage/mysql-errors';
import { type ResponseHeaders, showAllowance } from './limit-requests';
import { protocolError } from './protocol-errors';

/** Where errors are logged, and the database whose schema may be the cause. */
export interface ErrorContext {
  logger: Logger;
  database: Pick<Database, 'sequelize'>;
}

/**
 * In the language that the request prefers; in English if it names none, and for agents. If the response has begun, only a broken connection
 * shows that it is incomplete.
 */
export async function answerError(error: unknown, response: Response, context: ErrorContext): Promise<void> {
  const { requestId } = response.locals;
  if (!response.headersSent) {
    const { status, body } = await describeError(error, response, requestId, context);
    const text = protocolError(response.locals.matched?.operation.documentPath, status, body);
    if (typeof text === 'string') response.status(status).type('text/plain').send(text);
    else response.status(status).json(text ?? inLanguageOf(response, body));
    return;
  }
  if (!response.destroyed)
    context.logger.error({ requestId, err: error }, 'request failed after its response had begun');
  response.destroy();
}

/**
 * Any error as a status and `{ error, code, fields? }`, with `Retry-After` and `WWW-Authenticate`. An internal error is
 * logged, and the body has only the id of the request.
 */
export async function describeError(
  error: unknown,
  response: ResponseHeaders,
  requestId: string,
  { logger, database }: ErrorContext,
): Promise<{ status: number; body: ErrorBody }> {
  const known = toPlatformError(error) ?? (await bySchema(error, database));
  if (!known) {
    logger.error({ requestId, err: error }, 'request failed');
    const body = { error: 'something went wrong on our side', code: 'internal_error', request_id: requestId } as const;
    return { status: 500, body };
  }
  const { status, message, code, fields, retryAfterSeconds, challenge } = known;
  if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(retryAfterSeconds));
  if (known instanceof TooMany) showAllowance(response, known.allowance);
  if (challenge !== undefined) response.setHeader('WWW-Authenticate', challenge);
  if (status >= 500) logger.warn({ requestId, reason: String(known.cause ?? error) }, 'unavailable');
  const asked = known instanceof SecondFactorRequired ? { second_factor: [...known.kinds] } : {};
  return { status, body: { error: message, code, ...(fields ? { fields } : {}), ...asked } };
}

/** Programs compare texts, so they are English without `Accept-Language`. Codes and names of fields stay. No cache keeps errors. */
function inLanguageOf(response: Response, body: ErrorBody): ErrorBody {
  const words = Words.preferredBy(response.req.headers['accept-language']);
  if (words === Words.english) return body;
  response.setHeader('Content-Language', words.language);
  const fields = Object.entries(body.fields ?? {});
  return {
    ...body,
    error: saidOf(body, words),
    ...(body.fields && { fields: Object.fromEntries(fields.map(([name, why]) => [name, words.said(why)])) }),
  };
}

/** The names of fields before a reason stay. */
function saidOf({ error, fields = {} }: ErrorBody, words: Words): string {
  const reasons = Object.entries(fields);
  const isReason = reasons.some(([name, why]) => error === `${name} ${why}`);
  const whole = isReason ? error : words.said(error);
  const why = whole === error ? reasons.find(([, reason]) => error.endsWith(` ${reason}`))?.[1] : undefined;
  return why === undefined ? whole : error.slice(0, -why.length) + words.said(why);
}

/** MySQL lacks a name before a migration of this release. */
async function bySchema(error: unknown, { sequelize }: ErrorContext['database']): Promise<Unavailable | undefined> {
  if (!isUnknownName(error) || (await isMigrated(sequelize).catch(() => true))) return undefined;
  const unavailable = new Unavailable();
  unavailable.cause = `the schema is older than this release: ${error}`;
  return unavailable;
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
