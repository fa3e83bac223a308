import { ApiError, type components, createClient } from '../../client/src';
import { LANGUAGE, t } from './language';

import { fieldName } from './ui/field-names';

export { ApiError };

/** The records of the API by their names in its document. */
export type Records = components['schemas'];

/** The root of the platform, with a slash: two folders above the script, wherever the script is published. */
export const ROOT = new URL(import.meta.env.DEV ? '/' : '../../', import.meta.url).href;

/** Called when a request is refused because there is no session. */
let onSignedOut: () => void = () => {};

export function whenSignedOut(act: () => void): void {
  onSignedOut = act;
}

let sessions = 0;

/** Called at each sign-in: what requests of earlier sessions are answered later says nothing about the new one. */
export function sessionBegan(): void {
  sessions += 1;
}

const REFUSED_LOGINS: readonly string[] = ['login_refused', 'second_factor_required', 'wrong_code'];

/** True if the session of this browser has ended, or cannot be used because the account is disabled. */
export function isSignedOut({ status, code }: ApiError): boolean {
  return (status === 401 && !REFUSED_LOGINS.includes(code)) || code === 'account_disabled';
}

/** Calls by the session cookie of this browser, which no script can read. */
export const api = createClient({
  baseUrl: ROOT.replace(/\/$/, ''),
  cookie: true,
  language: LANGUAGE,
  tries: 2,
  longestPause: 2,
});

/** The body of an answer, or an error with a text for people. */
export async function ask<T>(answer: Promise<T>): Promise<T> {
  const session = sessions;
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ApiError)) throw isLostConnection(error) ? new Unreachable() : error;
    if (isSignedOut(error) && session === sessions) onSignedOut();
    if (error.code === 'second_factor_missing') setUpFactor();
    error.message = readable(error);
    throw error;
  }
}

/** Leads an account that must have a second factor, and has none, to where it is set up. */
function setUpFactor(): void {
  const page = `${ROOT}console/account/security`;
  if (!location.href.startsWith(page)) location.assign(page);
}

/** The errors of an answer, with the field names of the forms, and with characters counted as people do. */
function readable({ message, fields }: ApiError): string {
  const wrong = Object.entries(fields).map(([path, why]) => sentence(`${fieldName(path)} ${why}`));
  return withCharacters(wrong.join(' ') || sentence(message));
}

/** An error with characters counted as people do. */
export function withCharacters(text: string): string {
  return text.replace(/(at position|an Position) (\d+)/g, (_, _at, position) =>
    t('at character {n}', { n: Number(position) + 1 }),
  );
}

/** The platform cannot be reached. */
export class Unreachable extends Error {
  constructor() {
    super(t('The platform cannot be reached.'));
  }
}

/** True for the error that `fetch` throws if there is no response. */
function isLostConnection(error: unknown): boolean {
  return error instanceof TypeError;
}

/** Adds a capital letter and a full stop. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

const PAGE = 1000;
const MOST_PAGES = 50;

/** All items of a list, page by page. */
export async function all<T>(load: (query: { page: number; per_page: number }) => Promise<readonly T[]>): Promise<T[]> {
  const items: T[] = [];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const some = await load({ page, per_page: PAGE });
    items.push(...some);
    if (some.length < PAGE) break;
  }
  return items;
}

/** The text of an error for a person. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : t('Something went wrong.');
}
