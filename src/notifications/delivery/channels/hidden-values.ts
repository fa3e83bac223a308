import type { Steps } from '../../../platform/steps';
import { HIDDEN } from '../../requests/webhook-request';
import { TextFinder } from '../text-finder';
import type { OutgoingDelivery } from './channel';

/** A shorter value is part of too many other words. */
const MIN_LENGTH = 4;
/** Limits the values and the characters of all their spellings. */
const MAX_HIDDEN_VALUES = 40;
const MAX_HIDDEN_CHARACTERS = 65_536;
const CREDENTIALS = /^([A-Za-z][\w-]*)[ \t]+(.+)$/;

/**
 * Hides secrets in the first `characters` and leaves the rest out. If the text `isCut`, hides an end that may begin a
 * secret.
 */
export type Hider = (text: string, characters: number, isCut: boolean) => Steps<string>;

/**
 * Hides the owner's secrets, what headers hold, and the token of the link, also encoded in JSON, HTML, a form or a URL.
 * Ignores values below four characters. Hides whole texts if there are too many values.
 */
export function* hiderFor({ request, acknowledgeUrl }: OutgoingDelivery): Steps<Hider> {
  yield;
  const token = acknowledgeUrl?.split('token=')[1];
  const values = new Set([
    ...Object.values(request?.secrets ?? {}),
    ...Object.values(request?.headers ?? {}).flatMap(partsOf),
    ...(token === undefined ? [] : [token]),
  ]);
  const hidden = [...values].filter((value) => value.length >= MIN_LENGTH);
  if (hidden.length > MAX_HIDDEN_VALUES) return hideAll;
  const forms = [...new Set(hidden.flatMap(formsOf))];
  if (forms.reduce((total, { length }) => total + length, 0) > MAX_HIDDEN_CHARACTERS) return hideAll;
  const finder = yield* TextFinder.of(forms);
  const longest = Math.max(0, ...forms.map(({ length }) => length));
  return (text, characters, isCut) => hide(finder, text, { end: characters + longest, isCut });
}

function* hide(finder: TextFinder, text: string, { end, isCut }: { end: number; isCut: boolean }): Steps<string> {
  yield;
  const searched = text.slice(0, end);
  const { ranges, begun } = finder.find(searched);
  const isOpen = (isCut || searched.length < text.length) && begun >= MIN_LENGTH;
  const shownEnd = isOpen ? searched.length - begun : searched.length;
  const pieces: string[] = [];
  let at = 0;
  for (const [from, to] of ranges) {
    if (from >= shownEnd) break;
    pieces.push(searched.slice(at, from), HIDDEN);
    at = to;
  }
  pieces.push(searched.slice(at, Math.max(at, shownEnd)));
  if (isOpen && at <= shownEnd) pieces.push(HIDDEN);
  return pieces.join('');
}

function* hideAll(text: string): Steps<string> {
  yield;
  return text === '' ? '' : HIDDEN;
}

/** A header, its credentials without scheme, its parameters, and the password of Basic. */
function partsOf(header: string): string[] {
  const [, scheme = '', credentials = header] = CREDENTIALS.exec(header) ?? [];
  const pairs = header.split(/[\s,;]+/).filter((part) => part.includes('='));
  const parameters = pairs.map((part) => part.slice(part.indexOf('=') + 1).replace(/^"|"$/g, ''));
  return [header, credentials, ...parameters, ...(/^basic$/i.test(scheme) ? passwordIn(credentials) : [])];
}

/** `user:password` and the password (RFC 7617). */
function passwordIn(credentials: string): string[] {
  const decoded = Buffer.from(credentials, 'base64').toString();
  return [decoded, decoded.slice(decoded.indexOf(':') + 1)];
}

function formsOf(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const form = new URLSearchParams({ '': value }).toString().slice(1);
  const url = encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\ufffd'));
  const html = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return [value, json, json.replaceAll('/', '\\/'), form, url, url.replaceAll('%3A', ':'), html];
}
