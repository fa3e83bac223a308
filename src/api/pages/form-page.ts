import type { Express, NextFunction, Request, Response } from 'express';
import { isRecord } from '../../platform/is-record';
import { type Page, sendPage, wantsPage } from './page';

/** The content of a page; the rest is the same for all pages behind a link in a mail. */
export type Said = Pick<Page, 'title' | 'body'>;

/** A page with a form that asks for one operation, and its message afterwards. */
export interface FormPage {
  /** The form; with `error` when it is shown again. */
  form(error: string | undefined, request: Request): Said;
  /** Replaces the form, with a status, if it is known in advance that it can do nothing. */
  endOf?(request: Request, response: Response): Promise<{ said: Said; status: number } | undefined>;
  /** Replaces the form if the token in the address is no longer valid. */
  dead: Said;
  /** Replaces the form if its action can no longer be done (409); otherwise the form is shown again, with the error. */
  over?: Said;
  /** The parameters of the operation from the entered data, or the problem with it. */
  read?(entered: Record<string, unknown>): { parameters: Record<string, unknown> } | { error: string };
  /** The message after the operation has succeeded, from its response. */
  done(response: Record<string, unknown>, request: Request): Said | Promise<Said>;
}

/**
 * Serves the page that a link in a mail opens. Its form posts to the operation of the same path: a browser gets a page
 * as the answer, all other clients the JSON. The token in the address is neither sent to other sites nor stored.
 */
export function installFormPage(app: Express, path: string, page: FormPage): void {
  const send = (request: Request, response: Response, said: Said, status?: number) =>
    sendPage(request, response, { ...said, status, referrer: 'no-referrer' });
  app.get(path, async (request, response) => {
    const end = await page.endOf?.(request, response);
    send(request, response, end?.said ?? page.form(undefined, request), end?.status);
  });
  app.post(path, (request: Request, response: Response, next: NextFunction) => {
    if (!wantsPage(request)) return next();
    const read = page.read?.(isRecord(request.body) ? request.body : {});
    if (read && 'error' in read) return send(request, response, page.form(read.error, request), 400);
    if (read) request.body = { ...request.query, ...read.parameters };
    response.json = (body: unknown) => {
      const answer = isRecord(body) ? body : {};
      const { statusCode } = response;
      sayAfter(page, statusCode, answer, request).then((said) => send(request, response, said, statusCode), next);
      return response;
    };
    return next();
  });
}

async function sayAfter(
  page: FormPage,
  status: number,
  answer: Record<string, unknown>,
  request: Request,
): Promise<Said> {
  if (status < 400) return page.done(answer, request);
  const isDead = status === 404 || (isRecord(answer.fields) && 'token' in answer.fields);
  if (isDead) return page.dead;
  return (status === 409 && page.over) || page.form(String(answer.error), request);
}
