import type { AppViewRoute } from '@bull-board/api/typings/app';
import { ExpressAdapter } from '@bull-board/express';
import type { Express, Response } from 'express';

/** Of the package's page: it asks another host for fonts, and does as well with those of the system. */
const FROM_ELSEWHERE = /<(?:link|script|img)\b[^>]*(?:href|src)="(?:https?:)?\/\/[^>]*>(?:<\/script>)?/g;

/** The board's page and files. Nothing in it is loaded from another host. */
export class BoardPage extends ExpressAdapter {
  constructor(path: string) {
    super();
    this.setBasePath(path);
    this.app.disable('x-powered-by');
  }

  /** What answers below the board's path. */
  get router(): Express {
    return this.app;
  }

  override setEntryRoute({ method, route, handler }: AppViewRoute): this {
    this.app[method](route, (_request: unknown, response: Response) => {
      const { name, params } = handler({ basePath: this.basePath, uiConfig: this.uiConfig });
      response.render(name, params, (error: Error | null, html: string) => {
        if (error) throw error;
        response.type('html').send(html.replaceAll(FROM_ELSEWHERE, ''));
      });
    });
    return this;
  }
}
