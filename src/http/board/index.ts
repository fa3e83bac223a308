import { createBullBoard } from '@bull-board/api';
import type { Express } from 'express';
import type { Container } from '../../container';
import { changeLog, foreignChangesRefused, jsonOnly, redisReady } from './guards';
import { boardLogin } from './login';
import { BoardPage } from './page';
import { boardQueues } from './queues';
import { refuseOtherChanges } from './rules';

const PATH = '/admin/queues';

/** All that the page loads comes from this server. */
const POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The operators' view of the queues, behind its own login; absent while no `BOARD_PASSWORD` is set. */
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
  app.use(PATH, boardLogin(config.boardUser, config.boardPassword, refusedLogins));
  app.use(PATH, changeLog(container.logger), foreignChangesRefused, jsonOnly);
  app.use(`${PATH}/api`, redisReady(redisClient));
  app.use(PATH, page.router);
}
