import type { Express, Request, RequestHandler, Response } from 'express';
import type { Container } from '../../container';
import { refuseOtherMethods } from '../middlewares/method-not-allowed';
import { forPage, type PageParts } from '../pages/page-user';
import { PageWriter } from './parts';

type Handle = (request: Request, response: Response) => Promise<void>;

const waysOn = (request: Request) => PageWriter.for(request).navigation();

/** Installs pages behind their guards. */
export class OperatorRoutes {
  constructor(
    readonly container: Container,
    readonly secret: string,
    private readonly setting: { app: Express; guards: readonly RequestHandler[]; parts: PageParts },
  ) {}

  get(path: string, handle: Handle): void {
    const { app, guards, parts } = this.setting;
    app.get(path, ...guards, forPage(parts, handle, waysOn));
    app.all(path, refuseOtherMethods('GET'));
  }

  post(path: string, handle: Handle): void {
    const { app, guards, parts } = this.setting;
    app.post(path, ...guards, forPage(parts, handle, waysOn));
    app.all(path, refuseOtherMethods('POST'));
  }

  getAndPost(path: string, handle: { get: Handle; post: Handle }): void {
    const { app, guards, parts } = this.setting;
    app.get(path, ...guards, forPage(parts, handle.get, waysOn));
    app.post(path, ...guards, forPage(parts, handle.post, waysOn));
    app.all(path, refuseOtherMethods('GET', 'POST'));
  }
}
