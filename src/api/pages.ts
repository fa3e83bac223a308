import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { Container } from '../container';
import { actAsVisitor } from './act-as-visitor';
import type { Authentication } from './authentication';
import { installBoard } from './board';
import { installConsole } from './console';
import { installDocs } from './docs';
import { installMcp } from './mcp';
import { answerError } from './middlewares/error-handler';
import { PUBLIC_HOST } from './middlewares/foreign-page';
import { readQueriesOnce } from './middlewares/legacy-requests';
import { unknownOperation } from './middlewares/method-not-allowed';
import { installOAuth1 } from './oauth1/oauth1-endpoints';
import { installOAuth1Pages } from './oauth1/oauth1-pages';
import { installOAuth2 } from './oauth2';
import { installOidc } from './oidc';
import { OperatorSessions } from './oidc/operator-sessions';
import type { OpenApiDocument } from './openapi/document';
import type { Operations } from './operations';
import { installOperatorsPage } from './operators';
import { installAcknowledgePage } from './pages/acknowledge.page';
import { installAuthorizationsPage } from './pages/authorizations.page';
import { installConfirmPage } from './pages/confirm.page';
import { IDENTITY_PROVIDER, installLogin } from './pages/login.page';
import { installPageFiles } from './pages/page';
import { installRegisterAppPage } from './pages/register-app.page';
import { installResetPasswordPage } from './pages/reset-password.page';
import { installUnsubscribePage } from './pages/unsubscribe.page';
import type { RequestAdmission } from './request-admission';
import type { OperationRunner } from './run-operation';
import { endJson } from './send-text';

export interface PagesParts {
  container: Container;
  authentication: Authentication;
  admission: RequestAdmission;
  operations: Operations;
  runner: OperationRunner;
  publicHost: string | undefined;
  openapi: OpenApiDocument;
}

/**
 * Everything that is no operation: pages, documents, console, board, OAuth. Bodies are read. If no page answers, the
 * operation of the path runs.
 */
export function buildPages({
  container,
  authentication,
  admission,
  operations,
  runner,
  publicHost,
  openapi,
}: PagesParts): Express {
  const { config, secretBox, clock, services } = container;
  const { oidc } = services;
  const operators = oidc && new OperatorSessions(oidc.settings, secretBox, clock);
  const app = express();
  app.set('trust proxy', config.trustProxy);
  app.disable('x-powered-by');
  app.disable('etag');
  readQueriesOnce(app.request);
  app.set(PUBLIC_HOST, publicHost);
  if (oidc) app.set(IDENTITY_PROVIDER, oidc.settings.host);
  app.response.json = endJson;
  const pages = { ...container, admission };
  app.use((_request, { locals }, next) => next(locals.failure?.error), actAsVisitor(container.clock));
  installBoard(app, container, operators);
  installDocs(app, openapi, config.publicUrl);
  installPageFiles(app);
  installConsole(app, config);
  installResetPasswordPage(app);
  installUnsubscribePage(app);
  installConfirmPage(app);
  installAcknowledgePage(app, pages);
  installOAuth1(app, pages, authentication);
  installOAuth1Pages(app, pages);
  installOAuth2(app, pages);
  installLogin(app, pages);
  installRegisterAppPage(app, pages);
  installOperatorsPage(app, container, { pages, operators });
  if (oidc) installOidc(app, { ...{ config, secretBox, clock, oidc, operators }, pages });
  installAuthorizationsPage(app, pages);
  installMcp(app, { container, authentication, admission, runner });
  app.use((request: Request, response: Response) => {
    const { matched } = response.locals;
    if (matched) return runner.run(matched, request, response);
    const known = operations.describePath(request.path);
    response.locals.matched = known; // for the log
    throw unknownOperation(known?.methods ?? [], response);
  });
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) =>
    answerError(error, response, container),
  );
  return app;
}
