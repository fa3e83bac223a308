import type { Request } from 'express';
import { isRecord } from '../../platform/is-record';
import { keepMethod } from './as-sent';
import { parseForm } from './form';

/** What the spelling of a path asks for. */
export interface PathAsked {
  /** As the operations have it. */
  path: string;
  /** Written with `.json` at its end, as old clients do. */
  jsonSuffix: boolean;
  /** The ending, if it asks for lines. */
  format: 'csv' | 'ndjson' | undefined;
}

/** What is read in lines. */
const LINES =
  /^(\/sensors(?:\/(?:[^/]+\/)?data)?|\/audit|\/firings|\/deliveries|\/reports\/(?:sensors|alerts))\.(csv|ndjson)$/;

/** `//sensors/5.json` and absolute URLs (RFC 9112) mean `/sensors/5`. `/sensors/5/data.csv` asks for CSV. */
export function readPath(written: string): PathAsked {
  let path = written.replace(/^https?:\/\/[^/]*/i, '').replace(/\/{2,}/g, '/');
  const jsonSuffix = path.endsWith('.json');
  if (jsonSuffix) path = path.slice(0, -'.json'.length);
  const lines = LINES.exec(path);
  path = lines?.[1] ?? path;
  if (path.length > 1 && path.endsWith('/')) path = path.slice(0, -1);
  return { path, jsonSuffix, format: lines === null ? undefined : lines[2] === 'csv' ? 'csv' : 'ndjson' };
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
