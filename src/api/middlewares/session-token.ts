import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';

/** The session id, with the way in which the client sent it. */
export interface GivenToken {
  token: string;
  by: 'header' | 'cookie' | 'parameter';
}

const COOKIE = /(?:^|;\s*)session_?id=([^;]*)/i;

/** The header, otherwise the cookie, otherwise the parameter `session_id`. */
export function readSessionToken(request: Request): GivenToken | undefined {
  const header = readSessionHeader(request.headers);
  if (header !== undefined) return { token: header, by: 'header' };
  const cookie = COOKIE.exec(request.get('cookie') ?? '')?.[1];
  if (cookie) return { token: cookie.trim(), by: 'cookie' };
  const parameter = readSessionParameter(request);
  return parameter === undefined ? undefined : { token: parameter, by: 'parameter' };
}

/** Only the browser's cookie carries the session. A client that also sends the parameter knows it itself. */
export function isFromBrowser(request: Request): boolean {
  const given = readSessionToken(request);
  return given?.by === 'cookie' && given.token !== readSessionParameter(request);
}

/** A header or parameter: browsers add cookies automatically. */
export function sendsSession(request: Request): boolean {
  return readSessionHeader(request.headers) !== undefined || readSessionParameter(request) !== undefined;
}

export function readSessionParameter(request: Request): string | undefined {
  // A long query without a session is not parsed; a letter may be escaped.
  const query = /session_id|%/.test(request.url) ? request.query : undefined;
  const parameter: unknown = query?.session_id ?? Object(request.body).session_id;
  return typeof parameter === 'string' && parameter !== '' ? parameter : undefined;
}

/** Takes precedence over all other ways. */
export function readSessionHeader(headers: IncomingHttpHeaders): string | undefined {
  const given = headers['x-session_id'] ?? headers['x-sessionid'];
  return typeof given === 'string' && given !== '' ? given.trim() : undefined;
}

const BEARER = /^Bearer +(\S+) *$/i;

/** `Authorization: Bearer <token>`, whatever follows; undefined for other schemes. */
export function readBearerHeader({ authorization }: IncomingHttpHeaders): string | undefined {
  if (authorization === undefined || !/^Bearer(?: |$)/i.test(authorization)) return undefined;
  return BEARER.exec(authorization)?.[1] ?? '';
}

/** `API_KEY` of old clients, in body or query. Empty if it cannot be a key. */
export function readKeyParameter(request: Request): string | undefined {
  // A long query without a key is not parsed; a letter may be escaped.
  const query = /API_KEY|%/.test(request.url) ? request.query : undefined;
  const given: unknown = keyIn(request.body) ?? keyIn(query);
  return given === undefined ? undefined : typeof given === 'string' ? given.trim() : '';
}

/** Returns the parameter as given; undefined if missing, null or empty. */
function keyIn(parameters: unknown): unknown {
  const given: unknown = Object(parameters).API_KEY ?? undefined;
  return given === '' ? undefined : given;
}
