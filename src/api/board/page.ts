import type { AppViewRoute, BeforeHook } from '@bull-board/api/typings/app';
import { ExpressAdapter } from '@bull-board/express';
import type { Express, Response } from 'express';

/** Tags that load from another host: the package's page asks for fonts. */
const FOREIGN_TAGS = /<(?:link|script|img)\b[^>]*(?:href|src)="(?:https?:)?\/\/[^>]*>(?:<\/script>)?/g;

export class BoardPage extends ExpressAdapter {
  constructor(path: string) {
    super();
    this.setBasePath(path);
    this.app.disable('x-powered-by');
  }

  get router(): Express {
    return this.app;
  }

  override setEntryRoute({ method, route, handler }: AppViewRoute): this {
    this.app[method](route, (_request: unknown, response: Response) => {
      const { name, params } = handler({ basePath: this.basePath, uiConfig: this.uiConfig });
      response.render(name, params, (error: Error | null, html: string) => {
        if (error) throw error;
        response.type('html').send(html.replaceAll(FOREIGN_TAGS, ''));
      });
    });
    return this;
  }
}

/** Allowed changes have an effect, and can neither lose nor double anything (docs/decisions/0017). */
const ALLOWED_CHANGES: ReadonlySet<string> = new Set([
  'put /api/queues/pause',
  'put /api/queues/resume',
  'put /api/queues/:queueName/pause',
  'put /api/queues/:queueName/resume',
  'put /api/queues/:queueName/retry/:queueStatus',
  'put /api/queues/:queueName/promote',
  'put /api/queues/:queueName/clean/:queueStatus',
  'put /api/queues/:queueName/empty',
  'put /api/queues/:queueName/:jobId/retry',
  'put /api/queues/:queueName/:jobId/promote',
  'put /api/queues/:queueName/:jobId/clean',
]);

const MESSAGE =
  'The board pauses and resumes queues, and retries, promotes and removes jobs. All else is up to the rows in MySQL, the API and the settings.';

export const refuseOtherChanges: BeforeHook = ({ method, route, request }) => {
  const isAllowed = method === 'get' || ALLOWED_CHANGES.has(`${method} ${route}`);
  // Completed jobs have nothing left to do.
  const status: unknown = request.params.queueStatus;
  if (isAllowed && !(route.endsWith('/retry/:queueStatus') && status !== 'failed')) return;
  return { allow: false, status: 403, errorKey: 'ERRORS.FORBIDDEN', message: MESSAGE };
};
