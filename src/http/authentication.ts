import type { Request } from 'express';
import type { Caller, Visitor } from '../caller';
import { Forbidden, Unauthorized } from '../errors';
import { networkOf } from '../redis/network-of';
import type { SessionsService } from '../services/accounts/sessions.service';
import { isForeignChange } from './middlewares/foreign-page';
import { readSessionToken } from './middlewares/session-token';

/** Finds the caller of a request by its session; 401 without a valid one, 403 for a cookie used by a foreign page. */
export async function authenticate(request: Request, sessions: SessionsService): Promise<Caller> {
  const given = readSessionToken(request);
  if (!given) throw new Unauthorized();
  if (given.by === 'cookie' && isForeignChange(request)) {
    throw new Forbidden('a page of another site may not use the session cookie for this', 'foreign_page');
  }
  const session = await sessions.find(given.token);
  if (!session) throw new Unauthorized('the session is unknown or has expired');
  return { ...visitorOf(request), ...session };
}

/** The origin of a request, with or without a session. */
export function visitorOf(request: Request): Visitor {
  const address = request.ip ?? request.socket.remoteAddress ?? 'unknown';
  return { address, network: networkOf(address), secure: request.secure };
}
