import { createHash, timingSafeEqual } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import type { RefusedLogins } from '../../people';
import { visitorOf } from '../visitor';

/** Rights of an operator: look, or change as well. */
export type BoardRole = 'look' | 'act';

export interface BoardLogin {
  role: BoardRole;
  user: string;
  password: string;
}

/**
 * HTTP Basic (RFC 7617) in constant time. Refused logins are counted by address. Role and username are in
 * `response.locals` afterwards.
 */
export function requireLogin(logins: readonly BoardLogin[], refusedLogins: RefusedLogins) {
  const known = logins.map(({ role, user, password }) => ({ role, user, expected: digest(`${user}:${password}`) }));
  return async (request: Request, response: Response, next: NextFunction) => {
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
    response.setHeader('WWW-Authenticate', 'Basic realm="queues", charset="UTF-8"');
    response.status(401).json({ error: 'the board requires its login', code: 'board_login' });
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
