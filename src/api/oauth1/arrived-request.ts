import type { Request } from 'express';
import { type ArrivedRequest, isOAuth1, type Place } from '../../people';
import { parseUrl } from '../../platform/parse-url';
import { sentFormOf, sentMethodOf } from '../middlewares/as-sent';

/** Keeps what was sent, to check the signature. `publicUrl` is the setting. */
export function arrivedRequestOf(request: Request, publicUrl: string | undefined): ArrivedRequest {
  const [path, query] = targetOf(request);
  return {
    method: sentMethodOf(request),
    query,
    header: request.headers.authorization,
    form: sentFormOf(request),
    places: placesOf(request, path, publicUrl),
  };
}

/** Validly or not. */
export function isSignedRequest(request: Request): boolean {
  const [, query] = targetOf(request);
  return isOAuth1({ header: request.headers.authorization, query, form: sentFormOf(request) });
}

function targetOf({ originalUrl }: Request): [path: string, query: string] {
  const target = originalUrl.replace(/^https?:\/\/[^/?]*/i, '');
  const cut = target.indexOf('?');
  return cut < 0 ? [target, ''] : [target.slice(0, cut), target.slice(cut + 1)];
}

/** The client's host, maybe by a trusted proxy, and the public one: a proxy may have changed the first. */
function placesOf(request: Request, path: string, publicUrl: string | undefined): Place[] {
  const hosts = new Set([request.host, request.headers.host].filter((host) => host !== undefined && host !== ''));
  const places = [...hosts].map((host) => ({ host: String(host), path }));
  const known = publicUrl === undefined ? undefined : parseUrl(publicUrl);
  if (known) places.push({ host: known.host, path: `${known.pathname.replace(/\/+$/, '')}${path}` });
  return places;
}
