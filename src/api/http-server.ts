import { randomUUID } from 'node:crypto';
import { createServer, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Container } from '../container';
import generated from '../generated/openapi.json';
import type { ErrorCode } from '../platform/error-code';
import { parseUrl } from '../platform/parse-url';
import { findPayer } from './authentication';
import { listCredentialFinders } from './credential-finders';
import { Draining, oneAtATime } from './draining';
import { buildFiles } from './files';
import { Bodies } from './middlewares/bodies';
import { NO_STORE } from './middlewares/caching';
import { completeDocument } from './openapi';
import { Operations } from './operations';
import { buildPages } from './pages';
import { RequestPipeline } from './pipeline';
import { buildProbes } from './probes';
import { RequestAdmission } from './request-admission';
import { Roads } from './roads';
import { OperationRunner } from './run-operation';

/** Further connections are closed: each costs memory and a file descriptor. */
const MAX_CONNECTIONS = 10_000;
/** Time for a client that sent something unreadable. */
const ANSWER_MS = 1_000;

/** Longer than load balancers keep idle connections: no connection closes while a request arrives. */
const IDLE_MS = 65_000;
/** A file of an import may take so long. How fast bytes arrive is checked where they are read. */
const LONGEST_UPLOAD_MS = 6 * 3_600_000;

/** Answers in JSON, also what is not valid HTTP. Once `draining` has begun, every response closes its connection. */
export function createHttpServer(container: Container, draining = new Draining()): Server {
  const pipeline = buildPipeline(container, draining);
  const listener = draining.watch(oneAtATime((...exchange) => void pipeline.handle(...exchange)));
  // The pipeline checks `Host` and `Expect`, and answers in JSON.
  const server = createServer({ ...pipeline.classes, requireHostHeader: false }, listener);
  server.keepAliveTimeout = IDLE_MS;
  server.requestTimeout = LONGEST_UPLOAD_MS;
  server.maxConnections = MAX_CONNECTIONS;
  server.on('clientError', refuse);
  server.on('checkExpectation', listener);
  return server;
}

function buildPipeline(container: Container, draining: Draining): RequestPipeline {
  const { services, config, answerBudget, logger, metrics, database } = container;
  const authentication = {
    sessions: services.sessions,
    finders: listCredentialFinders(services, config.publicUrl),
  };
  const operations = new Operations();
  const admission = new RequestAdmission(answerBudget, container);
  const runner = new OperationRunner({ container, authentication, admission }, operations.all);
  const openapi = completeDocument(generated);
  const publicHost = config.publicUrl === undefined ? undefined : parseUrl(config.publicUrl)?.host;
  return new RequestPipeline({
    logger,
    metrics,
    database,
    publicUrl: config.publicUrl,
    bodies: new Bodies(),
    findPayer: (request) => findPayer(request, authentication),
    roads: new Roads({ findProbe: buildProbes(container, draining), findFile: buildFiles(openapi), operations }),
    runner,
    pages: buildPages({ container, authentication, admission, operations, runner, publicHost, openapi }),
  });
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
