import type { Request } from 'express';

/** A session id and the way in which the client sent it. */
export interface GivenToken {
  token: string;
  by: 'header' | 'cookie' | 'parameter';
}

const COOKIE = /(?:^|;\s*)session_?id=([^;]*)/i;

/** Reads the header, else the cookie, else the parameter `session_id`. */
export function readSessionToken(request: Request): GivenToken | undefined {
  const header = request.get('x-session_id') ?? request.get('x-sessionid');
  if (header) return { token: header.trim(), by: 'header' };
  const cookie = COOKIE.exec(request.get('cookie') ?? '')?.[1];
  if (cookie) return { token: cookie.trim(), by: 'cookie' };
  // A long query of somebody without a session is not read for this; a letter may be escaped.
  const query = /session_id|%/.test(request.url) ? request.query : undefined;
  const parameter: unknown = query?.session_id ?? Object(request.body).session_id;
  return typeof parameter === 'string' && parameter !== '' ? { token: parameter, by: 'parameter' } : undefined;
}
