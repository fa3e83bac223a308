import assert from 'node:assert/strict';
import type { Platform } from './platform';
import { type RawRequest, rawRequest } from './raw-request';

/** The two ways of an upload, by what a client sends in addition: express takes what a page sends. */
export const UPLOAD_WAYS = [
  { way: 'as a plain upload', headers: {}, isPlain: true },
  { way: 'by express', headers: { Origin: 'https://pages.example.org' }, isPlain: false },
] as const;

/** How many uploads were answered without express. */
export async function plainUploads({ container }: Platform): Promise<number> {
  const { values } = await container.metrics.plainUploads.get();
  return values[0]?.value ?? 0;
}

/** A response without what differs from one request to the next, and without headers for pages; every response has an id. */
export interface Comparable {
  status: number;
  body: unknown;
  headers: string[];
}

/**
 * Sends a POST as it is and as a page of the platform's own origin would send it, which express takes and which changes nothing
 * else. Returns both responses.
 */
export async function sendBothWays(url: string, path: string, request: RawRequest): Promise<[Comparable, Comparable]> {
  const direct = await send(url, path, request);
  return [direct, await send(url, path, { ...request, headers: { ...request.headers, Origin: url } })];
}

/** The same; asserts that the responses are equal, and returns one. */
export async function sendAndCompare(url: string, path: string, request: RawRequest): Promise<Comparable> {
  const [direct, byExpress] = await sendBothWays(url, path, request);
  assert.deepEqual(
    direct,
    byExpress,
    `${path} ${JSON.stringify(request.headers)} ${String(request.body).slice(0, 200)}`,
  );
  return direct;
}

async function send(url: string, path: string, request: RawRequest): Promise<Comparable> {
  const { status, text, rawHeaders } = await rawRequest(url, path, { method: 'POST', ...request });
  const id = idOf(rawHeaders);
  assert.match(id, /^[0-9a-f-]{36}$/);
  return { status, body: JSON.parse(text.replace(id, 'the id')), headers: comparableHeaders(rawHeaders) };
}

function idOf(raw: readonly string[]): string {
  return raw[raw.indexOf('X-Request-Id') + 1] ?? '';
}

/** What express puts on every response for the pages that get it: a device is not sent it. */
const FOR_PAGES = new Set([
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'Cross-Origin-Opener-Policy',
  'Cross-Origin-Resource-Policy',
  'Origin-Agent-Cluster',
  'Referrer-Policy',
  'Strict-Transport-Security',
  'Vary',
  'X-Content-Type-Options',
  'X-DNS-Prefetch-Control',
  'X-Download-Options',
  'X-Frame-Options',
  'X-Permitted-Cross-Domain-Policies',
  'X-XSS-Protection',
]);

/** Names in their letter case, with values; in the order of the names, because that of headers means nothing. */
function comparableHeaders(raw: readonly string[]): string[] {
  return Array.from({ length: raw.length / 2 }, (_, index) => raw.slice(2 * index, 2 * index + 2))
    .filter(([name = '']) => name !== 'Date' && name !== 'X-Request-Id' && !FOR_PAGES.has(name))
    .map(([name, value]) => `${name}: ${value}`)
    .sort();
}
