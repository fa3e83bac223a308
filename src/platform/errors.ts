import type { ErrorCode } from './error-code';
import { formatAuthorizationHeader } from './oauth1/authorization-header';
import { type Problem, parametersOf } from './oauth1/problem';
import type { SecondFactorKind } from './second-factor-kind';

/** Reasons per input field, by the path that the caller used (`trigger.expression`). */
export type FieldErrors = Record<string, string>;

/** An error whose message the caller may see. The error handler maps it to `{ error, code, fields? }`. */
export class PlatformError extends Error {
  constructor(
    readonly status: number,
    readonly code: ErrorCode,
    message: string,
    readonly fields?: FieldErrors,
    readonly retryAfterSeconds?: number,
    readonly challenge?: string,
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** 400: the input breaks a rule. */
export class InvalidInput extends PlatformError {
  constructor(message: string, fields?: FieldErrors, code: ErrorCode = 'invalid_input') {
    super(400, code, message, fields);
  }

  /** A single wrong field. The message is built from it. */
  static field(path: string, why: string): InvalidInput {
    return new InvalidInput(`${path} ${why}`, { [path]: why });
  }
}

/** 400: a read exceeds the time limit for reads. */
export class TakesTooLong extends InvalidInput {
  constructor() {
    const less = 'fewer sensors, a shorter range of time, or pages nearer to the beginning';
    super(`this takes too long to read; ask for less: ${less}`, undefined, 'too_complex');
  }
}

/** 408 for a part of a request whose time was over before this part began. Nothing of the part was done. */
export class NotReached extends PlatformError {
  constructor(what: string, seconds: number) {
    super(408, 'too_slow', `${what} was not reached within ${seconds} seconds: send the request again for the rest`);
  }
}

/** 401: no session, an unknown one, or a refused login. */
export class Unauthorized extends PlatformError {
  constructor(message = 'a valid session is required', code: ErrorCode = 'no_session') {
    super(401, code, message);
  }
}

/** The cached identity may be stale. Nothing was done; retry with the current identity. */
export class IdentityOutdated extends Error {
  constructor() {
    super('the cached identity of the caller may be stale');
  }
}

/** 401: the password is right, and the account asks for a second factor too. */
export class SecondFactorRequired extends PlatformError {
  constructor(
    readonly kinds: readonly SecondFactorKind[],
    code: 'second_factor_required' | 'wrong_code' = 'second_factor_required',
  ) {
    super(401, code, code === 'wrong_code' ? WRONG_CODE : ASK_FOR_FACTOR);
  }
}

export const WRONG_CODE = 'the code is wrong, too old or was used before';
const ASK_FOR_FACTOR =
  'this account has a second factor: send a code as otp; a program that cannot do so uses a key instead, see POST /keys';

/** 401: an unknown or expired key or token. */
export class InvalidToken extends PlatformError {
  constructor(message = 'the key or token is unknown, or has ended') {
    super(401, 'invalid_token', message, undefined, undefined, 'Bearer error="invalid_token"');
  }
}

/** 401: a refused OAuth 1.0a request, with the standard name of the problem. */
export class OAuth1Refused extends PlatformError {
  constructor(readonly problem: Problem) {
    const code = problem.name.startsWith('token_') ? 'invalid_token' : 'oauth_refused';
    super(401, code, problem.advice, undefined, undefined, formatAuthorizationHeader(parametersOf(problem)));
  }
}

/** 400 or 401 in the format of RFC 6749 section 5.2. */
export class OAuth2Refused extends PlatformError {
  constructor(
    readonly error: OAuth2ErrorName,
    readonly description: string,
  ) {
    super(error === 'invalid_client' ? 401 : 400, 'oauth_refused', description);
  }
}

/** 403: only a session may do this. */
export class SessionRequired extends PlatformError {
  constructor() {
    super(403, 'session_required', 'this requires a session: keys and tokens do not reach the account');
  }
}

/** 403: the key or token lacks a scope. */
export class InsufficientScope extends PlatformError {
  constructor(scope: string, what = '') {
    const challenge = `Bearer error="insufficient_scope", scope="${scope}"`;
    const message = `this requires the scope ${scope}${what && ` ${what}`}`;
    super(403, 'insufficient_scope', message, undefined, undefined, challenge);
  }
}

/** 403: visible to the caller, but not allowed. */
export class Forbidden extends PlatformError {
  constructor(message = 'you may not do this', code: ErrorCode = 'forbidden') {
    super(403, code, message);
  }
}

/** 403: operators disabled the account, with its password, sessions, keys and tokens. */
export class AccountDisabled extends Forbidden {
  constructor() {
    super('this account is disabled; ask the operators of this platform', 'account_disabled');
  }
}

/** 403: the account must have a second factor, and has none. */
export class SecondFactorMissing extends Forbidden {
  constructor() {
    super('this platform requires a second factor: set one up first, on the console', 'second_factor_missing');
  }
}

/** 404: does not exist, or the caller may not know that it does. */
export class NotFound extends PlatformError {
  constructor(what: string) {
    super(404, 'not_found', `${what} does not exist`);
  }
}

/** 409: a conflict with existing data. */
export class Conflict extends PlatformError {
  constructor(message: string, code: ErrorCode = 'conflict', fields?: FieldErrors) {
    super(409, code, message, fields);
  }
}

export interface Allowance {
  limit: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
}

/** 429. Carries the seconds after which to retry. */
export class TooMany extends PlatformError {
  constructor(
    message: string,
    retryAfterSeconds: number,
    readonly allowance?: Allowance,
  ) {
    super(429, 'rate_limited', message, undefined, retryAfterSeconds);
  }
}

/** 503: MySQL, Redis or capacity is missing. Carries the seconds after which to retry. */
export class Unavailable extends PlatformError {
  constructor(message = 'the service is not available at the moment', retryAfterSeconds = 5) {
    super(503, 'unavailable', message, undefined, retryAfterSeconds);
  }
}

/** RFC 6749, sections 4.1.2.1 and 5.2. */
export type OAuth2ErrorName =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'access_denied'
  | 'server_error'
  | 'temporarily_unavailable';
