import type { Express, NextFunction, Request, Response } from 'express';
import type { ArrivedRequest, IssuedToken } from '../../people';
import { InvalidInput, OAuth1Refused, SessionRequired } from '../../platform/errors';
import { type Parameter, writeForm } from '../../platform/oauth1/parameters';
import { parametersOf } from '../../platform/oauth1/problem';
import { type Authentication, authenticate } from '../authentication';
import { limitRequests } from '../middlewares/limit-requests';
import { refuseOtherMethods } from '../middlewares/method-not-allowed';
import { isFromBrowser } from '../middlewares/session-token';
import type { PageParts } from '../pages/page-user';
import { visitorOf } from '../visitor';
import { arrivedRequestOf } from './arrived-request';

type Issue = (arrived: ArrivedRequest, network: string) => Promise<IssuedToken>;

/** `/oauth/request_token`, `/oauth/access_token`, and `POST /oauth/provider_authorize` for explicit sessions. */
export function installOAuth1(app: Express, parts: PageParts, authentication: Authentication): void {
  const { services, admission } = parts;
  const issuing = (issue: Issue, more: readonly Parameter[]) => async (request: Request, response: Response) => {
    const visitor = visitorOf(request);
    const { network } = visitor;
    await limitRequests(parts.requestQuota, `address:${network}`, response);
    const arrived = arrivedRequestOf(request, parts.config.publicUrl);
    const { token, secret } = await admission.run(visitor, 'change', response, () => issue(arrived, network));
    sendForm(response, [['oauth_token', token], ['oauth_token_secret', secret], ...more]);
  };
  const endpoints = [
    ['/oauth/request_token', issuing((...given) => services.oauth1.issueRequestToken(...given), CONFIRMED)],
    ['/oauth/access_token', issuing((...given) => services.oauth1.issueAccessToken(...given), [])],
  ] as const;
  for (const [path, handle] of endpoints) {
    app.get(path, handle);
    app.post(path, handle);
    app.all(path, refuseOtherMethods('GET', 'POST'));
  }
  app.post('/oauth/provider_authorize', async (request, response, next) => {
    // The browser sends the cookie automatically: it counts only with the token of the page's form.
    if (isFromBrowser(request)) return next();
    await decide(parts, authentication, request, response);
  });
  app.use('/oauth', answerRefusal);
}

/** Revision A: the callback is accepted here, and nowhere else. */
const CONFIRMED: readonly Parameter[] = [['oauth_callback_confirmed', 'true']];

async function decide(
  { services, requestQuota, admission }: PageParts,
  authentication: Authentication,
  request: Request,
  response: Response,
): Promise<void> {
  const caller = await authenticate(request, authentication, true).catch(async (error: unknown) => {
    await limitRequests(requestQuota, `address:${visitorOf(request).network}`, response);
    throw error;
  });
  await limitRequests(requestQuota, `user:${caller.userId}`, response);
  if (caller.credential.kind !== 'session') throw new SessionRequired();
  const token = readParameter(request, 'oauth_token') ?? '';
  const action = readParameter(request, 'action')?.toUpperCase();
  if (action !== 'ALLOW' && action !== 'DENY') throw InvalidInput.field('action', 'must be ALLOW or DENY');
  const tokExpir = readParameter(request, 'tok_expir');
  const decision = { token, action, tokExpir } as const;
  const outcome = await admission.run(caller, 'change', response, () =>
    services.oauth1Consents.decide(caller, decision),
  );
  if (outcome === 'refused')
    return sendForm(response, [
      ['oauth_token', token],
      ['oauth_problem', 'user_refused'],
    ]);
  if ('verifier' in outcome)
    return sendForm(response, [
      ['oauth_token', token],
      ['oauth_verifier', outcome.verifier],
    ]);
  redirectBack(response, outcome.redirectTo);
}

/** The address contains a verifier, which is neither stored nor passed on. */
export function redirectBack(response: Response, url: string): void {
  response.status(302).set('Location', url).set('Referrer-Policy', 'no-referrer').end();
}

function readParameter({ query, body }: Request, name: string): string | undefined {
  const given: unknown = Object(body)[name] ?? query[name];
  return typeof given === 'string' || typeof given === 'number' ? String(given) : undefined;
}

function sendForm(response: Response, parameters: readonly Parameter[]): void {
  response.type('application/x-www-form-urlencoded').send(writeForm(parameters));
}

/** Libraries read problems where they read tokens: in a form. Other errors are JSON. */
function answerRefusal(error: unknown, _request: Request, response: Response, next: NextFunction): void {
  if (!(error instanceof OAuth1Refused) || response.headersSent) {
    next(error);
    return;
  }
  if (error.challenge !== undefined) response.set('WWW-Authenticate', error.challenge);
  response.status(error.status);
  sendForm(response, parametersOf(error.problem));
}
