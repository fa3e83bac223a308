import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';

const BEARER = /^Bearer +(\S+) *$/i;

/** The token in `Authorization: Bearer <token>`, whatever follows it; undefined for other schemes. */
export function readBearerHeader({ authorization }: IncomingHttpHeaders): string | undefined {
  if (authorization === undefined || !/^Bearer(?: |$)/i.test(authorization)) return undefined;
  return BEARER.exec(authorization)?.[1] ?? '';
}

/** The parameter `API_KEY` of a body or a query, with which old clients send a key. Empty if it cannot be a key. */
export function readKeyParameter(request: Request): string | undefined {
  // A long query of a client without a key is not parsed for this; a letter may be escaped.
  const query = /API_KEY|%/.test(request.url) ? request.query : undefined;
  const given: unknown = keyIn(request.body) ?? keyIn(query);
  return given === undefined ? undefined : typeof given === 'string' ? given.trim() : '';
}

/** The parameter as given; undefined if it is missing, null or empty. */
function keyIn(parameters: unknown): unknown {
  const given: unknown = Object(parameters).API_KEY ?? undefined;
  return given === '' ? undefined : given;
}
