import type { Express, NextFunction, Request, Response } from 'express';
import { isRecord } from '../../rules/is-record';
import { type Page, sendPage, wantsPage } from './page';

/** What a page says; the rest is the same for all pages behind a link in a mail. */
export type Said = Pick<Page, 'title' | 'body'>;

/** A page with a form that asks for one operation, and what it says after that. */
export interface FormPage {
  /** The form; with `error`, once more. */
  form(error: string | undefined, request: Request): Said;
  /** Instead of the form, with a status, when it is known before anything is sent that it can do nothing. */
  endOf?(request: Request, response: Response): Promise<{ said: Said; status: number } | undefined>;
  /** Instead of the form, when the token in the address is no longer good for anything. */
  dead: Said;
  /** Instead of the form, when what it asks for can no longer be done (409); else the form once more, with the error. */
  over?: Said;
  /** The parameters of the operation in what was entered, or what is wrong with it. */
  read?(entered: Record<string, unknown>): { parameters: Record<string, unknown> } | { error: string };
  /** After the operation has succeeded, with its response. */
  done(response: Record<string, unknown>, request: Request): Said;
}

/**
 * Serves the page that a link in a mail leads to. Its form posts to the operation of the same path: a browser gets a page for an
 * answer, all other clients the JSON. The token in the address is neither sent to other sites nor kept.
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
      send(request, response, sayAfter(page, response.statusCode, answer, request), response.statusCode);
      return response;
    };
    return next();
  });
}

function sayAfter(page: FormPage, status: number, answer: Record<string, unknown>, request: Request): Said {
  if (status < 400) return page.done(answer, request);
  const isDead = status === 404 || (isRecord(answer.fields) && 'token' in answer.fields);
  if (isDead) return page.dead;
  return (status === 409 && page.over) || page.form(String(answer.error), request);
}
