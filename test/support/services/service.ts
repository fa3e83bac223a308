import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isRecord } from '../../../src/platform/is-record';

/** A request as a service reads it. */
export interface ServiceRequest {
  method: string;
  /** The decoded parts of the path. */
  path: string[];
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface Answer {
  status: number;
  /** JSON, or a text; absent for no body. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** What people see of a request that the service took. */
export interface Shown {
  title: string;
  text: string;
  /** Colour, priority or kind, as the service writes it. */
  urgency: string;
  /** What the service compares to find that two requests are about the same. */
  key?: string;
  isEnd?: boolean;
  /** All of the request that is shown or kept, as JSON. */
  whole: string;
}

/** The rules of a service, as it publishes them. */
export interface ServiceRules {
  /** Name of the preset. */
  preset: string;
  /** The fields of the preset for a service at this URL. */
  values(url: string): Record<string, string>;
  /** The same with a secret that the service does not know; absent if the service does not reveal that. */
  wrong?(url: string): Record<string, string>;
  /** Shows a request, or throws `Refused`. */
  take(request: ServiceRequest): { shown: Shown; answer: Answer };
  /** The answer to a client that sends too much, until `seconds` are over. */
  tooMany(seconds: number): Answer;
}

/** The service refuses a request with this answer. */
export class Refused extends Error {
  constructor(readonly answer: Answer) {
    super(`${answer.status} ${JSON.stringify(answer.body)}`);
  }
}

export interface Service {
  url: string;
  shown: Shown[];
  /** The answers to refused requests. */
  refusals: Answer[];
  /** The service answers the next requests as to a client that sends too much. */
  limit(requests: number, seconds: number): void;
  close(): Promise<void>;
}

/** A real HTTP server on this machine that answers by the rules of a service. */
export async function startService(rules: ServiceRules): Promise<Service> {
  const shown: Shown[] = [];
  const refusals: Answer[] = [];
  const limits: number[] = [];
  const answerTo = (request: ServiceRequest): Answer => {
    const seconds = limits.shift();
    if (seconds !== undefined) return rules.tooMany(seconds);
    try {
      const taken = rules.take(request);
      shown.push(taken.shown);
      return taken.answer;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refusals.push(error.answer);
      return error.answer;
    }
  };
  const server = createServer(async (incoming, response) => write(response, answerTo(await readRequest(incoming))));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // a TCP server's address is an AddressInfo
    ...{ shown, refusals },
    limit: (requests, seconds) => limits.push(...Array.from({ length: requests }, () => seconds)),
    close: async () => {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}

async function readRequest(incoming: IncomingMessage): Promise<ServiceRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const url = new URL(incoming.url ?? '', 'http://service');
  return {
    method: incoming.method ?? '',
    path: url.pathname.slice(1).split('/').map(decodeURIComponent),
    query: url.searchParams,
    headers: incoming.headers,
    text: Buffer.concat(chunks).toString('utf8'),
  };
}

function write(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  const isText = typeof body === 'string';
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json';
  response.writeHead(status, { ...(body === undefined ? {} : { 'Content-Type': type }), ...headers });
  response.end(body === undefined || isText ? body : JSON.stringify(body));
}

export type Json = Record<string, unknown>;

/** The object in the body; `refused` is the answer to a body that holds none. */
export function objectIn(request: ServiceRequest, refused: Answer): Json {
  const value = jsonIn(request, refused);
  if (!isRecord(value)) throw new Refused(refused);
  return value;
}

export function jsonIn({ headers, text }: ServiceRequest, refused: Answer): unknown {
  if (!/^application\/([\w.-]+\+)?json(;|$)/.test(headers['content-type'] ?? '')) throw new Refused(refused);
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused(refused);
  }
}

/** The fields of a form in the body. */
export function formIn({ headers, text }: ServiceRequest, refused: Answer): Record<string, string> {
  if (headers['content-type'] !== 'application/x-www-form-urlencoded') throw new Refused(refused);
  return Object.fromEntries(new URLSearchParams(text));
}

/** The items of a list in JSON that are objects; a part of another type is empty. */
export function objectsOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function objectOf(value: unknown): Json {
  return isRecord(value) ? value : {};
}

/** True for a string of these lengths. Lengths are in UTF-16 units, the strictest reading of "characters". */
export function isText(value: unknown, most: number, least = 1): value is string {
  return typeof value === 'string' && value.length >= least && value.length <= most;
}

export function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\/[^\s/]+/.test(value);
}

export function requireThat(isAllowed: boolean, answer: Answer): asserts isAllowed {
  if (!isAllowed) throw new Refused(answer);
}

/** The size of a request's body in bytes. */
export function bytesOf({ text }: ServiceRequest): number {
  return Buffer.byteLength(text);
}
