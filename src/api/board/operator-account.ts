import type { NextFunction, Request, Response } from 'express';
import type { Container } from '../../container';
import { Forbidden } from '../../platform/errors';
import { readSessionToken } from '../middlewares/session-token';

/**
 * In addition to their login, operators have a session of an account with a second factor, if the settings say so. A
 * provider that vouches for second factors is enough.
 */
export function requireOperatorAccount({ config, services }: Pick<Container, 'config' | 'services'>) {
  return async (request: Request, response: Response, next: NextFunction) => {
    const isVouchedFor = config.oidc?.isSecondFactor === true && response.locals.boardByProvider === true;
    if (config.operatorAccounts.length === 0 || isVouchedFor) return next();
    const given = readSessionToken(request);
    const identity = given?.by === 'cookie' ? await services.sessions.find(given.token) : null;
    const isOperator = identity !== null && config.operatorAccounts.includes(identity.userId);
    if (isOperator && identity.credential.kind === 'session' && !identity.credential.lacksFactor) return next();
    const advice = 'operators also sign in on the console in this browser, with an account that has a second factor';
    throw new Forbidden(advice, 'second_factor_missing');
  };
}
