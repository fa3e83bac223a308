import type { ServerResponse } from 'node:http';
import { NO_STORE } from '../middlewares/caching';

export const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Sends a JSON body with the headers that a device needs, and those that have been set on the response. The headers
 * that Express adds are for pages, and uploads of pages go to Express: with them an answer had 834 bytes instead of 251
 * (now 276, with `Cache-Control`), and took the API 7 % more processor time.
 */
export function sendJson(
  response: ServerResponse,
  { status, body }: { status: number; body: object },
  requestId: string,
): void {
  const { text, length, encoding } = jsonText(body);
  const headers = ['Content-Type', JSON_TYPE, 'Cache-Control', NO_STORE, 'X-Request-Id', requestId];
  response.writeHead(status, [...headers, 'Content-Length', String(length)]);
  response.end(text, encoding);
}

/**
 * A body with its length in bytes and its encoding. Node writes head and body as one text, and Latin-1 in less time. A
 * text that is all ASCII is the same in both.
 */
export function jsonText(body: object): { text: string; length: number; encoding: 'latin1' | 'utf8' } {
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  return { text, length, encoding: length === text.length ? 'latin1' : 'utf8' };
}
