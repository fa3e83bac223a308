import { createBullBoard } from '@bull-board/api';
import type { Express } from 'express';
import type { Container } from '../../container';
import { logChanges, refuseForeignChanges, requireJson, requireRedis } from './guards';
import { requireLogin } from './login';
import { BoardPage } from './page';
import { boardQueues } from './queues';
import { refuseOtherChanges } from './rules';

const PATH = '/admin/queues';

/** The page may load files of this server only. */
const POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves the operators' view of the queues, behind its own login; does nothing without a `BOARD_PASSWORD`. */
export function installBoard(app: Express, container: Container): void {
  const { config, redisClient, refusedLogins } = container;
  if (config.boardPassword === undefined) return;
  const page = new BoardPage(PATH);
  createBullBoard({
    queues: boardQueues(container),
    serverAdapter: page,
    options: {
      uiConfig: { boardTitle: 'Queues', hideDocsLink: true },
      handlerHooks: { before: refuseOtherChanges },
    },
  });
  app.use(PATH, (_request, response, next) => {
    response.setHeader('Content-Security-Policy', POLICY);
    next();
  });
  app.use(PATH, requireLogin(config.boardUser, config.boardPassword, refusedLogins));
  app.use(PATH, logChanges(container.logger), refuseForeignChanges, requireJson);
  app.use(`${PATH}/api`, requireRedis(redisClient));
  app.use(PATH, page.router);
}
