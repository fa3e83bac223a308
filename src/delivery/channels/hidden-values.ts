import { HIDDEN } from '../../rules/webhook-request';
import type { OutgoingDelivery } from './channel';

/** A shorter value is part of too many other words. */
const MIN_LENGTH = 4;
const CREDENTIALS = /^([A-Za-z][\w-]*)[ \t]+(.+)$/;

/**
 * Hides the secrets of a delivery in a text. `isCut` says that the text may end within a secret; then an end that could
 * be the beginning of one is hidden as well.
 */
export type Hider = (text: string, isCut?: boolean) => string;

/**
 * Hides the secrets of the owner of a delivery, what its headers hold, and the token of the link that acknowledges it.
 * Also finds them encoded in JSON, HTML, a form or a URL. Does not hide values of fewer than four characters.
 */
export function hiderFor({ request, acknowledgeUrl }: OutgoingDelivery): Hider {
  const token = acknowledgeUrl?.split('token=')[1];
  const values = [
    ...Object.values(request?.secrets ?? {}),
    ...Object.values(request?.headers ?? {}).flatMap(partsOf),
    ...(token === undefined ? [] : [token]),
  ];
  const hidden = values.filter((value) => value.length >= MIN_LENGTH);
  const forms = [...new Set(hidden.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  return (text, isCut = false) => {
    const shown = forms.reduce((rest, form) => rest.replaceAll(form, HIDDEN), text);
    const begun = isCut ? Math.max(0, ...forms.map((form) => lengthOfBegun(shown, form))) : 0;
    return begun < MIN_LENGTH ? shown : shown.slice(0, -begun) + HIDDEN;
  };
}

/** A header, and what it holds: its credentials without their scheme, its parameters, and the password of Basic. */
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

/** Number of characters at the end of the text that are the beginning of this form; linear in both (Knuth, Morris, Pratt). */
function lengthOfBegun(text: string, form: string): number {
  const end = text.slice(-form.length);
  const borders = new Uint32Array(form.length);
  for (let at = 1, length = 0; at < form.length; at += 1) {
    length = grown(form, borders, { length, next: form[at] });
    borders[at] = length;
  }
  let length = 0;
  for (const next of end.split('')) length = grown(form, borders, { length, next });
  return length;
}

/** The length of the longest beginning of the form that ends with `next`, after one of `length` characters. */
function grown(
  form: string,
  borders: Uint32Array,
  { length, next }: { length: number; next: string | undefined },
): number {
  let kept = length;
  while (kept > 0 && form[kept] !== next) kept = borders[kept - 1] ?? 0;
  return form[kept] === next ? kept + 1 : kept;
}
