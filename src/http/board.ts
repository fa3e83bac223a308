import { createHash, timingSafeEqual } from 'node:crypto';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { Express, NextFunction, Request, Response } from 'express';
import type { Container } from '../container';
import { visitorOf } from './authentication';

const PATH = '/admin/queues';
/** With the address behind it a name that no user can have: a guesser keeps out nobody who calls from elsewhere. */
const BOARD = '\0board\0';

/** Its page asks another host for fonts, which it can do without. */
const POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The operators' view of the queues, behind its own login; absent while no `BOARD_PASSWORD` is set. */
export function installBoard(app: Express, { config, queues, refusedLogins }: Container): void {
  if (config.boardPassword === undefined) return;
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath(PATH);
  createBullBoard({ queues: Object.values(queues).map((queue) => new BullMQAdapter(queue)), serverAdapter });
  const board = serverAdapter.getRouter().disable('x-powered-by');
  app.use(PATH, basicLogin(config.boardUser, config.boardPassword, refusedLogins), board);
}

/**
 * HTTP Basic (RFC 7617), with refused logins counted by the caller's address; the comparison takes the same time
 * wherever the texts differ.
 */
function basicLogin(user: string, password: string, refusedLogins: Container['refusedLogins']) {
  const expected = digest(`${user}:${password}`);
  return async (request: Request, response: Response, next: NextFunction) => {
    response.setHeader('Content-Security-Policy', POLICY);
    const [scheme, credentials = ''] = (request.headers.authorization ?? '').split(' ');
    if (scheme?.toLowerCase() === 'basic') {
      const { address } = visitorOf(request);
      await refusedLogins.check(BOARD + address, address);
      const given = digest(Buffer.from(credentials, 'base64').toString('utf8'));
      if (timingSafeEqual(given, expected)) {
        // Again: of many guesses sent at once, those counted meanwhile must stop the one that hits.
        await refusedLogins.check(BOARD + address, address);
        return next();
      }
      await refusedLogins.count(BOARD + address, address);
    }
    response.setHeader('WWW-Authenticate', 'Basic realm="queues", charset="UTF-8"');
    response.status(401).json({ error: 'the board needs its login', code: 'board_login' });
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
