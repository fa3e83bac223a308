import type { AppViewRoute } from '@bull-board/api/typings/app';
import { ExpressAdapter } from '@bull-board/express';
import type { Express, Response } from 'express';

/** Tags that load something from another host. The package's page asks for fonts; the system's fonts are sufficient. */
const FOREIGN_TAGS = /<(?:link|script|img)\b[^>]*(?:href|src)="(?:https?:)?\/\/[^>]*>(?:<\/script>)?/g;

/** Serves the board's page, its files and its API. The page loads nothing from other hosts. */
export class BoardPage extends ExpressAdapter {
  constructor(path: string) {
    super();
    this.setBasePath(path);
    this.app.disable('x-powered-by');
  }

  /** Handles all requests below the board's path. */
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
