import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  rawBody: string;
  form: Record<string, string>;
}

/** The reaction of the receiver to a request: a status, or anything with the response. */
export type ReceiverResponse = number | ((response: ServerResponse) => void);

export interface Receiver {
  url: string;
  received: Received[];
  /** The responses to the next requests; afterwards 200. */
  responses: ReceiverResponse[];
  waitFor(count: number, limitMs?: number): Promise<Received[]>;
  close(): Promise<void>;
}

/** A real HTTP server on this machine that records its requests. */
export async function startReceiver(responses: ReceiverResponse[] = []): Promise<Receiver> {
  const received: Received[] = [];
  const listeners = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const rawBody = Buffer.concat(chunks).toString('utf8');
      const form = Object.fromEntries(new URLSearchParams(rawBody));
      received.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, rawBody, form });
      const answer = responses.shift() ?? 200;
      if (typeof answer === 'number') response.writeHead(answer).end();
      else answer(response);
      for (const listener of listeners) listener();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const waitFor = (count: number, limitMs = 60_000) =>
    new Promise<Received[]>((resolve, reject) => {
      const check = () => {
        if (received.length < count) return;
        clearTimeout(timer);
        listeners.delete(check);
        resolve(received);
      };
      const timer = setTimeout(() => {
        listeners.delete(check);
        reject(new Error(`${received.length} of ${count} requests arrived within ${limitMs} ms`));
      }, limitMs);
      listeners.add(check);
      check();
    });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // a TCP server's address is an AddressInfo
    received,
    responses,
    waitFor,
    close: async () => {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}
