import { randomUUID } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import compression from 'compression';
import type { Express, Request, Response } from 'express';
import helmet from 'helmet';
import { InvalidInput, PlatformError } from '../platform/errors';
import { isBoard } from './board';
import { absoluteLocation } from './middlewares/absolute-location';
import type { Bodies } from './middlewares/bodies';
import { type FindPayer, readBody } from './middlewares/body';
import { NO_STORE } from './middlewares/caching';
import { cors } from './middlewares/cors';
import { answerError, type ErrorContext } from './middlewares/error-handler';
import { cleanPath, mergeParameters, overrideMethod } from './middlewares/legacy-requests';
import { type RequestRecords, recordRequest } from './middlewares/request-log';
import type { MatchedOperation, Operations } from './operations';
import type { Probe } from './probes';
import type { OperationRunner } from './run-operation';
import type { SendFile } from './static-document';

/** What the stages need. */
export interface PipelineParts extends RequestRecords, ErrorContext {
  publicUrl: string | undefined;
  bodies: Bodies;
  findPayer: FindPayer;
  /** Paths count in their exact spelling. */
  findProbe: (request: Request) => Probe | undefined;
  findFile: (request: Request) => SendFile | undefined;
  operations: Operations;
  runner: OperationRunner;
  pages: Express;
}

interface Exchange {
  request: Request;
  response: Response;
  probe: Probe | undefined;
  /** Probes and the board. */
  isInternal: boolean;
  matched: MatchedOperation | undefined;
  /** The response is complete, or another part has taken it over. */
  isAnswered: boolean;
}

/** Throws the client's error. */
type Stage = (exchange: Exchange, parts: PipelineParts) => void | Promise<void>;

/** Not for devices. Pages add a policy about what they may load. */
const securityHeaders = helmet({
  contentSecurityPolicy: false,
  crossOriginResourcePolicy: { policy: 'cross-origin' },
});
/** The default filter does not know NDJSON. */
const compress = compression({
  filter: (request, response) =>
    /^application\/x-ndjson/.test(String(response.getHeader('Content-Type'))) || compression.filter(request, response),
});
/** First segments of pages' paths, some also of operations. */
const PAGES =
  /^\/(?:|docs|console|pages|oauth2?|admin|\.well-known|unsubscribe|confirm|acknowledge|resetPassword)(?:[/?]|$)/i;

/** Stages run in this order, until one answers. */
const STAGES: readonly Stage[] = [
  label,
  findInternal,
  record,
  requireFraming,
  serveInternal,
  serveFile,
  ({ request, response }) => cleanPath(request, response),
  route,
  addHeaders,
  ({ request, response, matched }, { bodies, findPayer, operations }) =>
    readBody(bodies, findPayer, request, response, () => operations.bodyTraits(matched ?? {}, request.path)),
  overrideMethodAndRoute,
  ({ request }) => mergeParameters(request),
  operate,
];

/**
 * Takes every request through `STAGES`. The operation identifies the caller, authorises, validates, admits, handles and
 * answers (`run-operation.ts`).
 */
export class RequestPipeline {
  /** Node's server makes messages of these classes. */
  readonly classes: ReturnType<typeof messageClasses>;

  constructor(private readonly parts: PipelineParts) {
    this.classes = messageClasses(parts.pages);
  }

  readonly handle = async (message: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const [request, response] = [message as Request, answer as Response]; // of the classes above
    const exchange: Exchange = {
      request,
      response,
      probe: undefined,
      isInternal: false,
      matched: undefined,
      isAnswered: false,
    };
    try {
      for (const stage of STAGES) {
        const passing = stage(exchange, this.parts);
        if (passing) await passing;
        if (exchange.isAnswered) return;
      }
    } catch (error) {
      await this.fail(exchange, error).catch(() => response.destroy());
    }
  };

  /** The endpoints of OAuth have their own format of errors. */
  private async fail({ request, response }: Exchange, error: unknown): Promise<void> {
    const { pages } = this.parts;
    if (PAGES.test(request.path)) {
      response.locals.failure = { error };
      pages(request, response);
    } else await answerError(error, response, this.parts);
  }
}

/**
 * Messages with Express's methods from the beginning. If Express adds them to each message, its properties are slow
 * from then on, and a small request takes five times as long.
 */
function messageClasses(pages: Express) {
  class ApiRequest extends IncomingMessage {}
  class ApiResponse extends ServerResponse {}
  Object.setPrototypeOf(ApiRequest.prototype, pages.request);
  Object.setPrototypeOf(ApiResponse.prototype, pages.response);
  return { IncomingMessage: ApiRequest, ServerResponse: ApiResponse };
}

/** The id is in the log and the response. By default no response may be cached. */
function label({ request, response }: Exchange, { publicUrl }: PipelineParts): void {
  request.res = response;
  request.originalUrl = request.url;
  response.locals = { requestId: randomUUID() };
  response.setHeader('X-Request-Id', response.locals.requestId);
  response.setHeader('Cache-Control', NO_STORE);
  // A client sends this header, unless a proxy sets it.
  if (publicUrl !== undefined) delete request.headers['x-forwarded-host'];
}

/** What node would refuse without a body: no `Host`, and an unknown expectation (RFC 9110, 10.1.1). */
function requireFraming({ request: { httpVersion, headers } }: Exchange): void {
  if (httpVersion === '1.1' && headers.host === undefined) {
    throw new InvalidInput('the header Host is required', undefined, 'bad_request');
  }
  if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect)) {
    throw new PlatformError(417, 'bad_request', 'the only expectation that can be met is 100-continue');
  }
}

function findInternal(exchange: Exchange, { findProbe }: PipelineParts): void {
  exchange.probe = findProbe(exchange.request);
  exchange.isInternal = exchange.probe !== undefined || isBoard(exchange.request.url);
}

/** Operators' requests are not recorded. */
function record({ request, response, isInternal }: Exchange, parts: PipelineParts): void {
  if (!isInternal) recordRequest(parts, request, response);
}

/** Without the conventions for clients. */
function serveInternal(exchange: Exchange, { pages }: PipelineParts): void | Promise<void> {
  const { request, response, probe, isInternal } = exchange;
  if (!isInternal) return;
  securityHeaders(request, response, () => {});
  exchange.isAnswered = true;
  if (probe) return probe(request, response);
  pages(request, response);
}

/** Names of files may end like paths that `cleanPath` shortens. */
function serveFile(exchange: Exchange, parts: PipelineParts): void | Promise<void> {
  const send = parts.findFile(exchange.request);
  if (!send) return;
  addHeaders(exchange, parts);
  exchange.isAnswered = true;
  return send(exchange.request, exchange.response);
}

function route(exchange: Exchange, { operations }: PipelineParts): void {
  const { method, path } = exchange.request;
  exchange.matched = operations.find(method, path);
  exchange.response.locals.matched = exchange.matched;
}

/** Devices get only what they need: 276 bytes instead of 834. */
function addHeaders(exchange: Exchange, { publicUrl }: PipelineParts): void {
  const { request, response, matched } = exchange;
  if (matched?.operation.kind === 'upload' && request.headers.origin === undefined) return;
  securityHeaders(request, response, () => {});
  exchange.isAnswered = cors(request, response);
  if (exchange.isAnswered) return;
  compress(request, response, () => {});
  absoluteLocation(publicUrl, request, response);
}

function overrideMethodAndRoute(exchange: Exchange, parts: PipelineParts): void {
  if (overrideMethod(exchange.request)) route(exchange, parts);
}

/** Paths of pages go to Express, which runs the operation if no page answers. */
function operate({ request, response, matched }: Exchange, { runner, pages }: PipelineParts): void | Promise<void> {
  if (matched && !PAGES.test(request.url)) return runner.run(matched, request, response);
  pages(request, response);
}
