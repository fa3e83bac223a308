import assert from 'node:assert/strict';
import { type RawRequest, rawRequest } from './raw-request';

/** Who uploads, by what they send in addition: a device gets only the headers that it needs. */
export const UPLOAD_WAYS = [
  { way: 'by a device', headers: {} },
  { way: 'by a page', headers: { Origin: 'https://pages.example.org' } },
] as const;

/** A response without what differs from one request to the next, and without headers for pages; every response has an id. */
export interface Comparable {
  status: number;
  body: unknown;
  headers: string[];
}

/**
 * Sends a POST as a device and as a page of the platform's own origin would send it. Returns both responses.
 */
async function sendBothWays(url: string, path: string, request: RawRequest): Promise<[Comparable, Comparable]> {
  const direct = await send(url, path, request);
  return [direct, await send(url, path, { ...request, headers: { ...request.headers, Origin: url } })];
}

/** The same; asserts that the responses are equal, and returns one. */
export async function sendAndCompare(url: string, path: string, request: RawRequest): Promise<Comparable> {
  const [direct, byPage] = await sendBothWays(url, path, request);
  assert.deepEqual(direct, byPage, `${path} ${JSON.stringify(request.headers)} ${String(request.body).slice(0, 200)}`);
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

/** Only pages get these. */
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
