import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';

const BEARER = /^Bearer +(\S+) *$/i;

/** The token in `Authorization: Bearer <token>`, with what else may follow; undefined for other schemes. */
export function readBearerHeader({ authorization }: IncomingHttpHeaders): string | undefined {
  if (authorization === undefined || !/^Bearer(?: |$)/i.test(authorization)) return undefined;
  return BEARER.exec(authorization)?.[1] ?? '';
}

/** The parameter `API_KEY` of a body or a query, by which old clients send a key. Empty when it cannot be one. */
export function readKeyParameter(request: Request): string | undefined {
  // A long query of somebody without a key is not read for this; a letter may be escaped.
  const query = /API_KEY|%/.test(request.url) ? request.query : undefined;
  const given: unknown = keyIn(request.body) ?? keyIn(query);
  return given === undefined ? undefined : typeof given === 'string' ? given.trim() : '';
}

/** The parameter as it was given; undefined when it was not, or is null or empty. */
export function keyIn(parameters: unknown): unknown {
  const given: unknown = Object(parameters).API_KEY ?? undefined;
  return given === '' ? undefined : given;
}
