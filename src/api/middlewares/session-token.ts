import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';

/** A session id and the way in which the client sent it. */
export interface GivenToken {
  token: string;
  by: 'header' | 'cookie' | 'parameter';
}

const COOKIE = /(?:^|;\s*)session_?id=([^;]*)/i;

/** Reads the header, else the cookie, else the parameter `session_id`. */
export function readSessionToken(request: Request): GivenToken | undefined {
  const header = readSessionHeader(request.headers);
  if (header !== undefined) return { token: header, by: 'header' };
  const cookie = COOKIE.exec(request.get('cookie') ?? '')?.[1];
  if (cookie) return { token: cookie.trim(), by: 'cookie' };
  const parameter = readSessionParameter(request);
  return parameter === undefined ? undefined : { token: parameter, by: 'parameter' };
}

/** Whether only the browser has sent the session, in the cookie: a client that has it as a parameter as well has it by itself. */
export function isFromBrowser(request: Request): boolean {
  const given = readSessionToken(request);
  return given?.by === 'cookie' && given.token !== readSessionParameter(request);
}

/** Whether the client sends a session by its own choice, in the header or as a parameter: browsers add cookies by themselves. */
export function sendsSession(request: Request): boolean {
  return readSessionHeader(request.headers) !== undefined || readSessionParameter(request) !== undefined;
}

/** The parameter `session_id` of a query or a body. */
export function readSessionParameter(request: Request): string | undefined {
  // A long query of somebody without a session is not read for this; a letter may be escaped.
  const query = /session_id|%/.test(request.url) ? request.query : undefined;
  const parameter: unknown = query?.session_id ?? Object(request.body).session_id;
  return typeof parameter === 'string' && parameter !== '' ? parameter : undefined;
}

/** The session id in the header, if there is one: it takes precedence over all other ways. */
export function readSessionHeader(headers: IncomingHttpHeaders): string | undefined {
  const given = headers['x-session_id'] ?? headers['x-sessionid'];
  return typeof given === 'string' && given !== '' ? given.trim() : undefined;
}
