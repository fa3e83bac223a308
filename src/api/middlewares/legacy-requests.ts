import type { NextFunction, Request, Response } from 'express';
import { isRecord } from '../../rules/is-record';
import { keepMethod } from './as-sent';

/**
 * `//sensors/5.json?` means `/sensors/5`, and so does an absolute URL (RFC 9112, absolute-form). `/sensors/5/data.csv`
 * asks for the data in CSV.
 */
export function cleanPath(request: Request, response: Response, next: NextFunction): void {
  const url = request.url.replace(/^https?:\/\/[^/?]*/i, '');
  const cut = url.indexOf('?');
  const path = cut < 0 ? url : url.slice(0, cut);
  const query = cut < 0 ? '' : url.slice(cut);
  let clean = path.replace(/\/{2,}/g, '/');
  if (clean.endsWith('.json') && clean !== '/openapi.json') {
    clean = clean.slice(0, -'.json'.length);
    response.locals.jsonSuffix = true;
  }
  const lines = /^(\/sensors\/(?:[^/]+\/)?data)\.(csv|ndjson)$/.exec(clean);
  if (lines) {
    clean = lines[1] ?? '';
    response.locals.format = lines[2];
  }
  if (clean.length > 1 && clean.endsWith('/')) clean = clean.slice(0, -1);
  request.url = clean + (query === '?' ? '' : query);
  next();
}

/** A POST with `_METHOD=PUT` or `DELETE` acts as that method: some clients can only send GET and POST. */
export function overrideMethod(request: Request, _response: Response, next: NextFunction): void {
  const wanted: unknown = request.method === 'POST' && (readMethod(request.query) ?? readMethod(request.body));
  if (typeof wanted === 'string') {
    const method = wanted.toUpperCase();
    if (method === 'PUT' || method === 'DELETE') {
      keepMethod(request, request.method);
      request.method = method;
    }
  }
  next();
}

/** The parameter `_METHOD` of a query or a body, as given. */
export function readMethod(parameters: unknown): unknown {
  return Object(parameters)._METHOD;
}

/** Parameters of a POST or PUT may also come in the query. Those in the body take precedence. */
export function mergeParameters(request: Request, _response: Response, next: NextFunction): void {
  const body: unknown = request.body;
  if (isRecord(body) && (request.method === 'POST' || request.method === 'PUT')) {
    request.body = { ...request.query, ...body };
  }
  next();
}

/** Parses the query once, on first use: Express would parse it on each access, and a long query costs milliseconds. */
export function readQueryOnce(request: Request, _response: Response, next: NextFunction): void {
  const read = queryGetter(request);
  let query: unknown;
  Object.defineProperty(request, 'query', {
    get: () => {
      query ??= read?.call(request);
      return query;
    },
    enumerable: true,
    configurable: true,
  });
  next();
}

/** Express defines it on a prototype of the prototype. */
function queryGetter(request: Request): (() => unknown) | undefined {
  for (let from: unknown = request; from; from = Object.getPrototypeOf(from)) {
    const getter = Object.getOwnPropertyDescriptor(from, 'query')?.get;
    if (getter) return getter;
  }
  return undefined;
}
