import type { Request } from 'express';
import { parseUrl } from '../../platform/parse-url';

/** Setting of the application with the host of `PUBLIC_URL`. */
export const PUBLIC_HOST = 'public host';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The browser reports a page of another site, and the request changes something. */
export function isForeignChange(request: Request): boolean {
  return !READING.has(request.method) && isForeignPage(request);
}

/** True if the browser reports a page of another site. */
export function isForeignPage(request: Request): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const origin = request.get('origin');
  if (origin === undefined) return false;
  const host = parseUrl(origin)?.host;
  return host === undefined || (host !== request.host && host !== request.app.get(PUBLIC_HOST));
}
