import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { securityHeaders } from '../middlewares/conventions';
import { exposeToPages } from '../middlewares/cors';

/** The headers, names and values in turn, that express puts on every response in JSON, whatever the request. */
export function fixedHeaders(): string[] {
  const fixed: string[] = [];
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  response.setHeader = (name, value) => {
    fixed.push(name, String(value));
    return response;
  };
  securityHeaders(request, response, () => undefined);
  exposeToPages(response);
  // Set by the compression, which leaves responses of less than a kilobyte as they are: those to uploads are all shorter.
  response.setHeader('Vary', 'Accept-Encoding');
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  return fixed;
}

/** Sends a JSON body with the fixed headers, and those that have been set on the response. */
export function sendJson(
  response: ServerResponse,
  fixed: readonly string[],
  { status, body }: { status: number; body: object },
  requestId: string,
): void {
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  response.writeHead(status, [...fixed, 'X-Request-Id', requestId, 'Content-Length', String(length)]);
  // Node writes head and body as one text, and Latin-1 in less time; what is all ASCII is the same in both.
  response.end(text, length === text.length ? 'latin1' : 'utf8');
}
