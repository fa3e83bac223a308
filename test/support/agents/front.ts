import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What happens to a request in place of an ordinary answer: a status that the platform did not give, a connection that is
 * closed before the platform got the request, or one that is closed after the platform has answered.
 */
export type Fault = { status: number; retryAfter?: number } | 'close' | 'lose-answer';

/** A request of an agent, and what the agent got. */
export interface AgentRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  bytes: number;
  /** The status that the agent got; 0 if its connection was closed. */
  status: number;
  /** The answer to an error. */
  error: string;
}

/** Stands between an agent and the platform, like a reverse proxy. */
export interface Front {
  url: string;
  /** `127.0.0.1:port`. */
  address: string;
  /** Where requests are forwarded from now on. */
  target: string;
  /** The faults of the next requests that write, in order. */
  faults: Fault[];
  requests: AgentRequest[];
  close(): Promise<void>;
}

export async function startFront(target: string): Promise<Front> {
  const server = createServer((incoming, outgoing) => {
    handle(front, incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`; // the address of a TCP server
  const front: Front = {
    ...{ url: `http://${address}`, address, target, faults: [], requests: [] },
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return front;
}

async function handle(front: Front, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const { method = '', url: path = '', headers } = incoming;
  const seen: AgentRequest = { method, path, headers, bytes: body.length, status: 0, error: '' };
  front.requests.push(seen);
  const fault = path.includes('write') ? front.faults.shift() : undefined;
  if (typeof fault === 'object') {
    seen.status = fault.status;
    const retryAfter = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
    outgoing.writeHead(fault.status, retryAfter).end();
    return;
  }
  const answer = fault === 'close' ? undefined : await forward(front.target, seen, body);
  if (!answer || fault === 'lose-answer') {
    outgoing.destroy();
    return;
  }
  seen.status = answer.status;
  if (answer.status >= 400) seen.error = answer.body.toString();
  outgoing.writeHead(answer.status, answer.headers).end(answer.body);
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Undefined if the platform does not answer. */
function forward(target: string, { method, path, headers }: AgentRequest, body: Buffer): Promise<Answer | undefined> {
  const { host } = new URL(target);
  return new Promise((resolve) => {
    const sent = request(target + path, { method, headers: { ...headers, host }, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => resolve(undefined));
      response.on('end', () => {
        const { connection, 'transfer-encoding': coding, ...rest } = response.headers;
        resolve({ status: response.statusCode ?? 0, headers: rest, body: Buffer.concat(chunks) });
      });
    });
    sent.on('error', () => resolve(undefined));
    sent.end(body);
  });
}
