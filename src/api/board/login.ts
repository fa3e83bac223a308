import { createHash, timingSafeEqual } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import type { RefusedLogins } from '../../people';
import type { OperatorSessions } from '../oidc/operator-sessions';
import { rootOf, wantsPage } from '../pages/page';
import { visitorOf } from '../visitor';

/** Rights of an operator: look, or change as well. */
export type BoardRole = 'look' | 'act';

export interface BoardLogin {
  role: BoardRole;
  user: string;
  password: string;
}

/** False if no login has a password, and no identity can be an operator. */
export function hasOperators(logins: readonly BoardLogin[], operators: OperatorSessions | undefined): boolean {
  return logins.length > 0 || operators?.areConfigured === true;
}

/**
 * HTTP Basic (RFC 7617) in constant time. Refused logins are counted by address. Role and username are in
 * `response.locals` afterwards. Operators of the identity provider need no password; without passwords, browsers are sent
 * to the provider.
 */
export function requireLogin(
  logins: readonly BoardLogin[],
  refusedLogins: RefusedLogins,
  operators: OperatorSessions | undefined,
) {
  const known = logins.map(({ role, user, password }) => ({ role, user, expected: digest(`${user}:${password}`) }));
  return async (request: Request, response: Response, next: NextFunction) => {
    const operator = operators?.read(request);
    if (operator) {
      Object.assign(response.locals, { boardRole: operator.role, boardUser: operator.user, boardByProvider: true });
      return next();
    }
    const [scheme, credentials = ''] = (request.headers.authorization ?? '').split(' ');
    if (scheme?.toLowerCase() === 'basic') {
      const { address } = visitorOf(request);
      await refusedLogins.check({ kind: 'board', name: address }, address);
      const given = digest(Buffer.from(credentials, 'base64').toString('utf8'));
      const [login] = known.filter(({ expected }) => timingSafeEqual(given, expected));
      if (login) {
        Object.assign(response.locals, { boardRole: login.role, boardUser: login.user });
        // Checked again: of many concurrent guesses, those counted meanwhile must stop the correct one.
        await refusedLogins.check({ kind: 'board', name: address }, address);
        return next();
      }
      await refusedLogins.count({ kind: 'board', name: address }, address);
    }
    if (logins.length === 0 && request.method === 'GET' && wantsPage(request)) return sendToProvider(request, response);
    response.setHeader('WWW-Authenticate', 'Basic realm="queues", charset="UTF-8"');
    response.status(401).json({ error: 'the board requires its login', code: 'board_login' });
  };
}

function sendToProvider(request: Request, response: Response): void {
  const { originalUrl } = request;
  response.redirect(303, `${rootOf(request)}login/oidc?return_to=${encodeURIComponent(originalUrl)}`);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
