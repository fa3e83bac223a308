import { toUnixSeconds } from '../../edge/dates';
import type { PageTotal } from '../../edge/paging';
import type { Session } from '../../storage/models/session.model';

/** A new session. Its id is a secret, and is shown only here. */
export interface SessionResponse {
  /** @example "0aZ3kQ9xWm2Lp7Rt5Yv8Bn4Cd6E" */
  session_id: string;
}

/** The response to a logout. */
export interface LogoutResponse {
  /**
   * Only for a session that an identity provider opened: the page that ends the session there, for the browser.
   * @example "/login/oidc/logout"
   */
  provider_logout?: string;
}

/** A session of an account, without the secret that its client sends. */
export interface SessionView {
  /**
   * Identifies the session in a list. It is not a secret: requests cannot use it.
   * @example "12"
   */
  id: string;
  /**
   * The address of the login.
   * @example "192.0.2.7"
   */
  address: string;
  /**
   * The header `User-Agent` of the login, cut after 255 characters; `""` if there was none.
   * @example "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"
   */
  user_agent: string;
  /**
   * Unix seconds of the login.
   * @example 1795200000
   */
  created: number;
  /**
   * Unix seconds, accurate to an hour.
   * @example 1795229544
   */
  last_used: number;
  /**
   * True for the session of this request.
   * @example true
   */
  current: boolean;
}

/** The response with a page of the sessions of an account. */
export interface SessionsResponse extends PageTotal {
  sessions: SessionView[];
}

/** The credentials that remain valid after a new password. */
export interface PasswordWarning {
  /**
   * Only if keys or applications may still use the account.
   * @example "keys and applications may still use the account: see GET /keys and GET /oauth/authorizations"
   */
  warning?: string;
}

/** The response to a new password. */
export interface PasswordResetResponse extends PasswordWarning {
  /**
   * The username to log in with. Mails do not contain it.
   * @example "grace"
   */
  username: string;
}

/** The warning after a new password if other ways into the account remain; undefined if there are none. */
export function passwordWarning(otherAccess: 'ended' | 'stays' | 'none' | undefined): string | undefined {
  if (otherAccess !== 'stays') return undefined;
  return 'keys and applications may still use the account: see GET /keys and GET /oauth/authorizations';
}

const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Lax';

/** `currentId` is the id of the request's session. */
export function toSessionView({ id, address, userAgent, createdMs, usedMs }: Session, currentId: number): SessionView {
  const dates = { created: toUnixSeconds(createdMs), last_used: toUnixSeconds(usedMs) };
  return { id: String(id), address, user_agent: userAgent, ...dates, current: id === currentId };
}

/** The `Set-Cookie` header that hands out a session; with https it is never sent in clear text. */
export function sessionCookie(sessionId: string, secure: boolean): string {
  return `session_id=${sessionId}; ${ATTRIBUTES}${secure ? '; Secure' : ''}`;
}

/** The `Set-Cookie` header that deletes the session's cookie. */
export function expiredSessionCookie(secure: boolean): string {
  return `${sessionCookie('', secure)}; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT`;
}
