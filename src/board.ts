import { createHash, timingSafeEqual } from 'node:crypto';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { Express, NextFunction, Request, Response } from 'express';
import type { Container } from './container';

const PATH = '/admin/queues';

/** The operators' view of the queues, behind its own login; absent while no `BOARD_PASSWORD` is set. */
export function installBoard(app: Express, { config, queues }: Container): void {
  if (config.boardPassword === undefined) return;
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath(PATH);
  createBullBoard({ queues: Object.values(queues).map((queue) => new BullMQAdapter(queue)), serverAdapter });
  app.use(PATH, basicLogin(config.boardUser, config.boardPassword), serverAdapter.getRouter());
}

/** HTTP Basic (RFC 7617); the comparison takes the same time wherever the texts differ. */
function basicLogin(user: string, password: string) {
  const expected = digest(`${user}:${password}`);
  return (request: Request, response: Response, next: NextFunction) => {
    const [scheme, credentials = ''] = (request.headers.authorization ?? '').split(' ');
    const given = digest(Buffer.from(credentials, 'base64').toString('utf8'));
    if (scheme?.toLowerCase() === 'basic' && timingSafeEqual(given, expected)) return next();
    response.setHeader('WWW-Authenticate', 'Basic realm="queues", charset="UTF-8"');
    response.status(401).json({ error: 'the board needs its login', code: 'board_login' });
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
