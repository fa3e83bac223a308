import { randomUUID } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import compression from 'compression';
import type { Express, Request, Response } from 'express';
import helmet from 'helmet';
import { InvalidInput, PlatformError } from '../platform/errors';
import { absoluteLocation } from './middlewares/absolute-location';
import type { Bodies } from './middlewares/bodies';
import { type FindPayer, readBody } from './middlewares/body';
import { NO_STORE } from './middlewares/caching';
import { cors } from './middlewares/cors';
import { answerError, type ErrorContext } from './middlewares/error-handler';
import { mergeParameters, overrideMethod } from './middlewares/legacy-requests';
import { type RequestRecords, recordRequest } from './middlewares/request-log';
import type { Road, Roads } from './roads';
import type { OperationRunner } from './run-operation';

/** What the stages need. */
export interface PipelineParts extends RequestRecords, ErrorContext {
  publicUrl: string | undefined;
  bodies: Bodies;
  findPayer: FindPayer;
  roads: Roads;
  runner: OperationRunner;
  pages: Express;
}

interface Exchange {
  request: Request;
  response: Response;
  road: Road;
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

/** Operators' requests are not recorded, and have none of the conventions for clients. */
const INTERNAL: readonly Stage[] = [label, requireFraming, serveInternal];
/** Names of files may end like paths that old clients write. */
const FILES: readonly Stage[] = [label, record, requireFraming, addHeaders, serveFile];
const READS: readonly Stage[] = [label, record, requireFraming, rewriteUrl, addHeaders, operate];
const CHANGES: readonly Stage[] = [
  ...[label, record, requireFraming, rewriteUrl, addHeaders],
  ({ request, response, road }, { bodies, findPayer }) => readBody(bodies, findPayer, request, response, road),
  overrideMethodAndRoad,
  ({ request }) => mergeParameters(request),
  operate,
];

/**
 * Takes every request through the stages of its road, until one answers. The operation identifies the caller,
 * authorises, validates, admits, handles and answers (`run-operation.ts`).
 */
export class RequestPipeline {
  /** Node's server makes messages of these classes. */
  readonly classes: ReturnType<typeof messageClasses>;

  constructor(private readonly parts: PipelineParts) {
    this.classes = messageClasses(parts.pages);
  }

  readonly handle = async (message: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const [request, response] = [message as Request, answer as Response]; // of the classes above
    const road = this.parts.roads.of(request.method, request.url);
    const exchange: Exchange = { request, response, road, isAnswered: false };
    try {
      for (const stage of stagesOf(road, request.method)) {
        const passing = stage(exchange, this.parts);
        if (passing) await passing;
        if (exchange.isAnswered) return;
      }
    } catch (error) {
      await this.fail(exchange, error).catch(() => response.destroy());
    }
  };

  /** The endpoints of OAuth have their own format of errors. */
  private async fail({ request, response, road }: Exchange, error: unknown): Promise<void> {
    const { pages } = this.parts;
    if (road.isPage) {
      response.locals.failure = { error };
      pages(request, response);
    } else await answerError(error, response, this.parts);
  }
}

function stagesOf(road: Road, method: string): readonly Stage[] {
  if (road.isInternal) return INTERNAL;
  if (road.file) return FILES;
  return method === 'GET' || method === 'HEAD' ? READS : CHANGES;
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
function label({ request, response, road }: Exchange, { publicUrl }: PipelineParts): void {
  request.res = response;
  request.originalUrl = request.url;
  request.body = {};
  response.locals = { requestId: randomUUID(), road, matched: road.matched };
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

function record({ request, response }: Exchange, parts: PipelineParts): void {
  recordRequest(parts, request, response);
}

function serveInternal(exchange: Exchange, { pages }: PipelineParts): void | Promise<void> {
  const { request, response, road } = exchange;
  securityHeaders(request, response, () => {});
  exchange.isAnswered = true;
  if (road.probe) return road.probe(request, response);
  pages(request, response);
}

function serveFile(exchange: Exchange): void | Promise<void> {
  exchange.isAnswered = true;
  return exchange.road.file?.(exchange.request, exchange.response);
}

/** From here on, the path has the spelling of the operations. */
function rewriteUrl({ request, road }: Exchange): void {
  const cut = request.url.indexOf('?');
  const query = cut < 0 || cut === request.url.length - 1 ? '' : request.url.slice(cut);
  request.url = road.path + query;
}

/** Devices get only what they need: 276 bytes instead of 834. */
function addHeaders(exchange: Exchange, { publicUrl }: PipelineParts): void {
  const { request, response, road } = exchange;
  if (road.matched?.operation.kind === 'upload' && request.headers.origin === undefined) return;
  securityHeaders(request, response, () => {});
  exchange.isAnswered = cors(request, response);
  if (exchange.isAnswered) return;
  compress(request, response, () => {});
  absoluteLocation(publicUrl, request, response);
}

function overrideMethodAndRoad(exchange: Exchange, { roads }: PipelineParts): void {
  const { request, response } = exchange;
  if (!overrideMethod(request)) return;
  exchange.road = roads.of(request.method, request.originalUrl);
  Object.assign(response.locals, { road: exchange.road, matched: exchange.road.matched });
}

/** Paths of pages go to Express, which runs the operation if no page answers. */
function operate({ request, response, road }: Exchange, { runner, pages }: PipelineParts): void | Promise<void> {
  if (road.matched && !road.isPage) return runner.run(road.matched, request, response);
  pages(request, response);
}
