import type { Request, Response } from 'express';
import { isRecord } from '../../platform/is-record';
import { keepMethod } from './as-sent';
import { parseForm } from './form';

/** `//sensors/5.json?` and absolute URLs (RFC 9112) mean `/sensors/5`. `/sensors/5/data.csv` asks for CSV. */
export function cleanPath(request: Request, response: Response): void {
  const url = request.url.replace(/^https?:\/\/[^/?]*/i, '');
  const cut = url.indexOf('?');
  const path = cut < 0 ? url : url.slice(0, cut);
  const query = cut < 0 ? '' : url.slice(cut);
  let clean = path.replace(/\/{2,}/g, '/');
  if (clean.endsWith('.json')) {
    clean = clean.slice(0, -'.json'.length);
    response.locals.jsonSuffix = true;
  }
  const lines = /^(\/sensors\/(?:[^/]+\/)?data)\.(csv|ndjson)$/.exec(clean);
  if (lines) {
    clean = lines[1] ?? '';
    response.locals.format = lines[2] === 'csv' ? 'csv' : 'ndjson';
  }
  if (clean.length > 1 && clean.endsWith('/')) clean = clean.slice(0, -1);
  request.url = clean + (query === '?' ? '' : query);
}

/**
 * A POST with `_METHOD=PUT` or `DELETE`, for clients that only send GET and POST. Returns true if the method has
 * changed.
 */
export function overrideMethod(request: Request): boolean {
  const wanted: unknown = request.method === 'POST' && (readMethod(request.query) ?? readMethod(request.body));
  const method = typeof wanted === 'string' ? wanted.toUpperCase() : '';
  if (method !== 'PUT' && method !== 'DELETE') return false;
  keepMethod(request, request.method);
  request.method = method;
  return true;
}

function readMethod(parameters: unknown): unknown {
  return Object(parameters)._METHOD;
}

/** Parameters of a POST or PUT may come in the query; those in the body take precedence. */
export function mergeParameters(request: Request): void {
  const body: unknown = request.body;
  if (request.url.includes('?') && isRecord(body) && (request.method === 'POST' || request.method === 'PUT')) {
    request.body = { ...request.query, ...body };
  }
}

const queries = new WeakMap<Request, { url: string; query: object }>();

/**
 * Express would parse the query on each access, and a long one costs milliseconds. `requests` is the prototype of all
 * requests.
 */
export function readQueriesOnce(requests: object): void {
  Object.defineProperty(requests, 'query', {
    get(this: Request) {
      const cut = this.url.indexOf('?');
      if (cut < 0) return {};
      const known = queries.get(this);
      if (known?.url === this.url) return known.query;
      const query = parseForm(this.url.slice(cut + 1));
      queries.set(this, { url: this.url, query });
      return query;
    },
    enumerable: true,
    configurable: true,
  });
}
