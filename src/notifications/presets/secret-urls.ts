import { parseUrl } from '../../platform/parse-url';

/** Templates stand in the place of the secrets. */
export interface SplitUrl {
  url: string;
  secrets: Record<string, string>;
}

/** The last part of the path is the secret of most webhooks. */
export function hideLastPart(text: string): SplitUrl {
  const url = parseUrl(text);
  const parts = (url?.pathname ?? '').split('/');
  const secret = decode(parts.pop() ?? '');
  if (!url || secret === '') return { url: text, secrets: {} };
  return { url: `${url.origin}${parts.join('/')}/{{secrets.token}}${url.search}`, secrets: { token: secret } };
}

/** Hides the values of these parameters of the query. */
export function hideParameters(text: string, names: readonly string[]): SplitUrl {
  const url = parseUrl(text);
  if (!url) return { url: text, secrets: {} };
  const secrets: Record<string, string> = {};
  const pairs = url.search.slice(1).split('&');
  const shown = pairs.map((pair) => {
    const [name = '', ...value] = pair.split('=');
    if (!names.includes(name)) return pair;
    secrets[name] = decode(value.join('='));
    return `${name}={{secrets.${name}}}`;
  });
  return { url: `${url.origin}${url.pathname}?${shown.join('&')}`, secrets };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
