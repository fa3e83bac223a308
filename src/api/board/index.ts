import { createBullBoard } from '@bull-board/api';
import type { Express } from 'express';
import type { Container } from '../../container';
import type { OperatorSessions } from '../oidc/operator-sessions';
import { logChanges, refuseForeignChanges, refuseLookers, requireJson, requireRedis, roleOf } from './guards';
import { type BoardRole, hasOperators, requireLogin } from './login';
import { requireOperatorAccount } from './operator-account';
import { BoardPage, refuseOtherChanges } from './page';
import { boardQueues } from './queues';

const PATH = '/admin/queues';
const BELOW = /^\/admin\/queues(?:[/?]|$)/i;

/** Files of this server only. */
const POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function isBoard(url: string): boolean {
  return BELOW.test(url);
}

/** The operators' view of the queues, behind logins of its own. Does nothing if there is no login. */
export function installBoard(app: Express, container: Container, operators: OperatorSessions | undefined): void {
  const { config, redisClient, refusedLogins } = container;
  if (!hasOperators(config.boardLogins, operators)) return;
  const pages = { look: buildPage(container, 'look'), act: buildPage(container, 'act') };
  app.use(PATH, (_request, response, next) => {
    response.setHeader('Content-Security-Policy', POLICY);
    next();
  });
  app.use(PATH, requireLogin(config.boardLogins, refusedLogins, operators), requireOperatorAccount(container));
  app.use(PATH, logChanges(container.logger), refuseForeignChanges, refuseLookers, requireJson);
  app.use(`${PATH}/api`, requireRedis(redisClient));
  app.use(PATH, (request, response, next) => pages[roleOf(response)].router(request, response, next));
}

function buildPage(container: Container, role: BoardRole): BoardPage {
  const page = new BoardPage(PATH);
  createBullBoard({
    queues: boardQueues(container, role),
    serverAdapter: page,
    options: {
      uiConfig: { boardTitle: role === 'look' ? 'Queues (look only)' : 'Queues', hideDocsLink: true },
      handlerHooks: { before: refuseOtherChanges },
    },
  });
  return page;
}
