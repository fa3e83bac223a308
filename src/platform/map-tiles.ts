import { parseUrl } from './parse-url';

/** No other form: the origin becomes part of a content security policy. */
const ORIGIN = /^https?:\/\/(\[[0-9a-f:.]+\]|[\w.-]+)(:\d+)?$/i;
const PLACES = ['{z}', '{x}', '{y}'];

export const MAP_TILES_RULE = 'must be a URL that begins with https:// or http:// and has {z}, {x} and {y} in its path';

export interface MapTiles {
  url: string;
  origin: string;
}

/** Undefined for a text that is no template of tiles. */
export function parseMapTiles(url: string): MapTiles | undefined {
  const parsed = parseUrl(url.replace(/\{[xyz]\}/g, '1'));
  if (!parsed || !ORIGIN.test(parsed.origin) || parsed.username || parsed.password) return undefined;
  const [, , host = '', ...path] = url.split('/');
  if (/[{}]/.test(host) || !PLACES.every((place) => path.join('/').includes(place))) return undefined;
  return { url, origin: parsed.origin };
}

/** With whom to thank; undefined without tiles. */
export function mapTilesOf(url: string | undefined, attribution = '') {
  const tiles = url === undefined ? undefined : parseMapTiles(url);
  return tiles && { ...tiles, attribution };
}
