import { randomUUID } from 'node:crypto';
import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Container } from '../container';
import type { ErrorCode } from '../rules/error-code';
import { buildApp } from './app';
import { Draining } from './draining';
import { Bodies } from './middlewares/bodies';
import { NO_STORE } from './middlewares/caching';
import { oneAtATime } from './one-at-a-time';
import { UploadAnswers } from './uploads/upload-answers';
import { UploadListener } from './uploads/upload-listener';
import { UploadServer } from './uploads/upload-server';

/** Beyond this number of open connections new ones are closed: each costs memory and a file descriptor. */
const MAX_CONNECTIONS = 10_000;
/** How long a client that sent something unreadable has to read the response. */
const ANSWER_MS = 1_000;

/**
 * Longer than the usual idle time of a load balancer: otherwise a connection could be closed while a request arrives.
 */
const IDLE_MS = 65_000;

/**
 * The HTTP server of the platform. Plain uploads have a fast path, everything else goes to Express. Requests that are
 * not valid HTTP also get a response in JSON. Once `draining` has begun, every response closes its connection.
 */
export function createHttpServer(container: Container, draining = new Draining()): Server {
  const bodies = new Bodies();
  const answers = new UploadAnswers(container);
  const uploads = new UploadListener(container, answers, bodies, buildApp(container, bodies, draining));
  const setting = { records: container, answers, draining, idleMs: IDLE_MS };
  const server = new UploadServer(draining.watch(oneAtATime(uploads.handle)), setting);
  server.keepAliveTimeout = IDLE_MS;
  server.maxConnections = MAX_CONNECTIONS;
  server.on('clientError', refuse);
  return server;
}

function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, code, message } = reasonOf(error.code);
  const body = JSON.stringify({ error: message, code });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Cache-Control: ${NO_STORE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  setTimeout(() => socket.destroy(), ANSWER_MS).unref();
}

function reasonOf(code: string | undefined): { status: number; code: ErrorCode; message: string } {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return { status: 431, code: 'headers_too_large', message: 'the headers or the URL are too long' };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, code: 'too_slow', message: 'the request did not arrive in time' };
    default:
      return { status: 400, code: 'bad_request', message: 'this is not a valid HTTP request' };
  }
}
