import type { Express, NextFunction, Request, Response } from 'express';
import type { Services } from '../../container';
import { ACCESS_SECONDS, GRANT_TYPES, type GrantType, type IssuedTokens, mayUse } from '../../people';
import type { OAuth2ErrorName } from '../../platform/errors';
import { OAuth2Refused } from '../../platform/errors';
import type { Application } from '../../storage/models/application.model';
import { describeError, type ErrorContext } from '../middlewares/error-handler';
import { limitRequests } from '../middlewares/limit-requests';
import { refuseOtherMethods } from '../middlewares/method-not-allowed';
import type { PageParts } from '../pages/page-user';
import { visitorOf } from '../visitor';
import { readTokenRequest, required, type TokenRequest } from './parameters';

type Answer = (services: Services, application: Application, request: TokenRequest) => Promise<object>;

const ENDPOINTS: Record<string, Answer> = {
  '/oauth2/token': async (services, application, request) => {
    const issued = await issue(services, application, request);
    return {
      access_token: issued.accessToken,
      token_type: 'Bearer',
      expires_in: ACCESS_SECONDS,
      refresh_token: issued.refreshToken,
      scope: issued.scopes,
    };
  },
  '/oauth2/revoke': async ({ oauth2TokenStatus }, application, request) => {
    await oauth2TokenStatus.end(application, required(request, 'token'));
    return {};
  },
  '/oauth2/introspect': async ({ oauth2TokenStatus }, application, request) => {
    if (request.client.secret === undefined) {
      throw new OAuth2Refused('invalid_client', 'this requires the secret of the application');
    }
    const token = await oauth2TokenStatus.find(application, required(request, 'token'));
    if (!token) return { active: false };
    return {
      active: true,
      scope: token.scopes,
      client_id: application.consumerKey,
      username: token.username,
      sub: String(token.userId),
      token_type: token.kind === 'access' ? 'Bearer' : undefined,
      exp: Math.floor(token.expiresMs / 1_000),
      iat: Math.floor(token.createdMs / 1_000),
    };
  },
};

/** Tokens (RFC 6749), revocation (RFC 7009) and introspection (RFC 7662). */
export function installTokenEndpoints(app: Express, parts: PageParts): void {
  const { services, requestQuota, admission } = parts;
  for (const [path, answer] of Object.entries(ENDPOINTS)) {
    app.post(path, async (request: Request, response: Response) => {
      const visitor = visitorOf(request);
      await limitRequests(requestQuota, `address:${visitor.network}`, response);
      const body = await admission.run(visitor, 'change', response, async () => {
        const given = readTokenRequest(request);
        const application = await services.oauth2Clients.authenticate(given.client, visitor.network);
        return answer(services, application, given);
      });
      forOldCaches(response).json(body);
    });
    app.all(path, refuseOtherMethods('POST'));
    app.use(path, async (error: unknown, request: Request, response: Response, next: NextFunction) => {
      if (response.headersSent) next(error);
      else await sendError(error, request, response, parts);
    });
  }
}

function issue({ oauth2 }: Services, application: Application, request: TokenRequest): Promise<IssuedTokens> {
  const { grant_type, redirect_uri: redirectUri, code_verifier: verifier, scope } = request.parameters;
  const grant = GRANT_TYPES.find((one) => one === required(request, 'grant_type'));
  if (!grant) throw new OAuth2Refused('unsupported_grant_type', `grant_type must be one of ${GRANT_TYPES.join(', ')}`);
  if (!mayUse(application, grant)) {
    throw new OAuth2Refused(
      'unauthorized_client',
      `an application of the type ${application.type} may not use ${grant_type}`,
    );
  }
  const grants: Record<GrantType, () => Promise<IssuedTokens>> = {
    authorization_code: () =>
      oauth2.exchangeCode(application, { code: required(request, 'code'), redirectUri, verifier }),
    refresh_token: () => oauth2.refresh(application, required(request, 'refresh_token'), scope),
    client_credentials: () => issueForOwner(oauth2, application, request),
  };
  return grants[grant]();
}

function issueForOwner(
  oauth2: Services['oauth2'],
  application: Application,
  request: TokenRequest,
): Promise<IssuedTokens> {
  return oauth2.issueForOwner(application, request.parameters.scope);
}

/** RFC 6749 section 5.2, even for an unreadable body. Other errors than the application's keep their status. */
async function sendError(error: unknown, request: Request, response: Response, context: ErrorContext): Promise<void> {
  const { status, body } = await describeError(error, response, response.locals.requestId, context);
  if (status === 401 && /^Basic /i.test(request.get('authorization') ?? '')) {
    response.set('WWW-Authenticate', 'Basic realm="applications", charset="UTF-8"');
  }
  const name = error instanceof OAuth2Refused ? error.error : nameOf(status);
  const { error: error_description, request_id } = body;
  forOldCaches(response).status(status).json({ error: name, error_description, request_id });
}

function nameOf(status: number): OAuth2ErrorName {
  if (status === 500) return 'server_error';
  return status === 429 || status > 500 ? 'temporarily_unavailable' : 'invalid_request';
}

/** RFC 6749 section 5.1 requires it in addition to `Cache-Control`. */
function forOldCaches(response: Response): Response {
  return response.set('Pragma', 'no-cache');
}
