import express, { type Express } from 'express';
import type { Container } from '../container';
import openapi from '../generated/openapi.json';
import { findPayer } from './authentication';
import { installBoard } from './board';
import { installConsole } from './console';
import { listCredentialFinders } from './credential-finders';
import { installDocs } from './docs';
import type { Draining } from './draining';
import type { Bodies } from './middlewares/bodies';
import { keepNowhere } from './middlewares/caching';
import { installErrorConventions, installRequestConventions, securityHeaders } from './middlewares/conventions';
import { installPublicHost } from './middlewares/public-host';
import { requestId } from './middlewares/request-id';
import { installOAuth1 } from './oauth1/oauth1-endpoints';
import { installOAuth1Pages } from './oauth1/oauth1-pages';
import { installOAuth2 } from './oauth2';
import { completeDocument } from './openapi';
import { installOperatorsPage } from './operators';
import { installAcknowledgePage } from './pages/acknowledge.page';
import { installAuthorizationsPage } from './pages/authorizations.page';
import { installConfirmPage } from './pages/confirm.page';
import { installLogin } from './pages/login.page';
import { installPageFiles } from './pages/page';
import { installRegisterAppPage } from './pages/register-app.page';
import { installResetPasswordPage } from './pages/reset-password.page';
import { installUnsubscribePage } from './pages/unsubscribe.page';
import { installProbes } from './probes';
import { RequestAdmission } from './request-admission';
import { registerRoutes } from './routes';

/** Builds the application from a container, with the process's reader of bodies. Starts nothing. */
export function buildApp(container: Container, bodies: Bodies, draining: Draining): Express {
  const { config, logger, metrics } = container;
  const app = express();
  app.set('trust proxy', config.trustProxy);
  app.use(requestId, securityHeaders, keepNowhere);
  installPublicHost(app, config.publicUrl);
  installProbes(app, container, draining);
  installBoard(app, container);
  const authentication = {
    sessions: container.services.sessions,
    finders: listCredentialFinders(container.services, config.publicUrl),
  };
  const payer = (request: express.Request) => findPayer(request, authentication);
  installRequestConventions(app, {
    logger,
    metrics,
    paths: openapi.paths,
    publicUrl: config.publicUrl,
    bodies,
    findPayer: payer,
  });
  installDocs(app, completeDocument(openapi));
  installPageFiles(app);
  installConsole(app, config);
  installResetPasswordPage(app);
  installUnsubscribePage(app);
  installConfirmPage(app);
  const pages = { ...container, admission: new RequestAdmission(container.answerBudget) };
  installAcknowledgePage(app, pages);
  installOAuth1(app, pages, authentication);
  installOAuth1Pages(app, pages);
  installOAuth2(app, pages);
  installLogin(app, pages);
  installRegisterAppPage(app, pages);
  installOperatorsPage(app, container, pages);
  installAuthorizationsPage(app, pages);
  registerRoutes(app, container, authentication);
  installErrorConventions(app, { logger, database: container.database, paths: openapi.paths });
  return app;
}
