/** A new session. Its id is a secret, and is shown only here. */
export interface SessionResponse {
  /** @example "0aZ3kQ9xWm2Lp7Rt5Yv8Bn4Cd6E" */
  session_id: string;
}

/** The response to a new password. */
export interface PasswordResetResponse {
  /**
   * The username to log in with. Mails do not contain it.
   * @example "grace"
   */
  username: string;
}

const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Lax';

/** The `Set-Cookie` that hands out a session; over https it never travels in clear. */
export function sessionCookie(sessionId: string, secure: boolean): string {
  return `session_id=${sessionId}; ${ATTRIBUTES}${secure ? '; Secure' : ''}`;
}

/** The `Set-Cookie` that takes the session's cookie away. */
export function expiredSessionCookie(secure: boolean): string {
  return `${sessionCookie('', secure)}; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT`;
}
