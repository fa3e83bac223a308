import type { Express, NextFunction, Request, Response } from 'express';
import { isRecord } from '../../platform/is-record';
import type { Words } from '../../platform/words/words';
import { wordsFor } from './language';
import { type Page, sendPage, wantsPage } from './page';

export type Said = Pick<Page, 'title' | 'body'>;

export interface FormView {
  request: Request;
  words: Words;
}

/** A form that asks for one operation, and its message afterwards. */
export interface FormPage {
  /** Shows `error` in a repeated form. */
  form(view: FormView, error?: string): Said;
  /** Replaces a form that is known to do nothing. */
  endOf?(view: FormView, response: Response): Promise<{ said: Said; status: number } | undefined>;
  /** Replaces the form if the address's token is no longer valid. */
  dead(words: Words): Said;
  /** Replaces the form after a 409; after other errors it is shown again. */
  over?(words: Words): Said;
  /** The operation's parameters from the entered data, or a problem. */
  read?(entered: Record<string, unknown>, words: Words): { parameters: Record<string, unknown> } | { error: string };
  /** After success, from the operation's response. */
  done(view: FormView, answer: Record<string, unknown>): Said | Promise<Said>;
}

/**
 * Opened by a link in a mail. The form posts to the operation of the path: a browser gets a page in its language, other
 * clients JSON. The address's token is neither sent to other sites nor stored.
 */
export function installFormPage(app: Express, path: string, page: FormPage): void {
  const send = ({ request, words }: FormView, response: Response, said: Said, status?: number) =>
    sendPage(request, response, { ...said, words, status, referrer: 'no-referrer' });
  app.get(path, async (request, response) => {
    const view = { request, words: wordsFor(request) };
    const end = await page.endOf?.(view, response);
    send(view, response, end?.said ?? page.form(view), end?.status);
  });
  app.post(path, (request: Request, response: Response, next: NextFunction) => {
    if (!wantsPage(request)) return next();
    const view = { request, words: wordsFor(request) };
    const read = page.read?.(isRecord(request.body) ? request.body : {}, view.words);
    if (read && 'error' in read) return send(view, response, page.form(view, read.error), 400);
    if (read) request.body = { ...request.query, ...read.parameters };
    response.json = (body: unknown) => {
      const answer = isRecord(body) ? body : {};
      const { statusCode } = response;
      sayAfter(page, view, statusCode, answer).then((said) => send(view, response, said, statusCode), next);
      return response;
    };
    return next();
  });
}

async function sayAfter(
  page: FormPage,
  view: FormView,
  status: number,
  answer: Record<string, unknown>,
): Promise<Said> {
  if (status < 400) return page.done(view, answer);
  const isDead = status === 404 || (isRecord(answer.fields) && 'token' in answer.fields);
  if (isDead) return page.dead(view.words);
  return (status === 409 && page.over?.(view.words)) || page.form(view, String(answer.error));
}
