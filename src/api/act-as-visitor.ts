import type { NextFunction, Request, Response } from 'express';
import { actAs } from '../audit';
import type { Clock } from '../platform/clock';
import { visitorOf } from './visitor';

/** Records what forms change under the path of their page. */
export function actAsVisitor(clock: Clock) {
  return (request: Request, response: Response, next: NextFunction) => {
    const isLogin = request.path.startsWith('/login/oidc'); // the provider leads back by GET
    if ((request.method !== 'POST' && !isLogin) || response.locals.matched) return next();
    const visitor = { userId: null, byKind: 'visitor', byId: null } as const;
    const { address } = visitorOf(request);
    actAs({ ...visitor, address, action: request.path.slice(1), dateMs: clock.now() }, () => next());
  };
}
