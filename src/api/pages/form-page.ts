import type { Express, NextFunction, Request, Response } from 'express';
import { isRecord } from '../../platform/is-record';
import { type Page, sendPage, wantsPage } from './page';

export type Said = Pick<Page, 'title' | 'body'>;

/** A form that asks for one operation, and its message afterwards. */
export interface FormPage {
  /** Shows `error` in a repeated form. */
  form(error: string | undefined, request: Request): Said;
  /** Replaces a form that is known to do nothing. */
  endOf?(request: Request, response: Response): Promise<{ said: Said; status: number } | undefined>;
  /** Replaces the form if the address's token is no longer valid. */
  dead: Said;
  /** Replaces the form after a 409; after other errors it is shown again. */
  over?: Said;
  /** The operation's parameters from the entered data, or a problem. */
  read?(entered: Record<string, unknown>): { parameters: Record<string, unknown> } | { error: string };
  /** After success, from the operation's response. */
  done(response: Record<string, unknown>, request: Request): Said | Promise<Said>;
}

/**
 * Opened by a link in a mail. The form posts to the operation of the path: a browser gets a page, other clients JSON.
 * The address's token is neither sent to other sites nor stored.
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
