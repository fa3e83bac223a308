import type { ServerResponse } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from '../../platform/logger';
import type { Metrics } from '../../platform/metrics';
import { onceClosed } from './closed-response';
import { type DocumentPath, readPaths } from './document-paths';

/** Where requests are recorded. */
export interface RequestRecords {
  logger: Logger;
  metrics: Pick<Metrics, 'requests'>;
}

/** A request whose response is awaited. */
export interface RecordedRequest {
  requestId: string;
  method: string;
  /** Called once the response was sent. */
  target: () => Target;
  startedMs: number;
}

/** The subject of a request: its path with names in place of its variables, and the variable `id`. */
export interface Target {
  route: string;
  id?: unknown;
  /** When the points of an upload were stored. Consequences of the upload record it as well. */
  storedMs?: number;
}

/** As proxies log it: the client closed the connection before the response was sent. */
export const CLIENT_LEFT = 499;
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Records every request. `paths` are those of the OpenAPI document. */
export function requestLog(records: RequestRecords, paths: Readonly<Record<string, object>>) {
  const known = readPaths(paths);
  return (request: Request, response: Response, next: NextFunction) => {
    const { requestId } = response.locals;
    recordWhenSent(records, response, {
      ...{ requestId, method: request.method, startedMs: performance.now() },
      target: () => ({ ...targetOf(request, known), storedMs: response.locals.storedMs }),
    });
    next();
  };
}

/** Records a request when its response was sent, or the client disconnected. */
export function recordWhenSent(records: RequestRecords, response: ServerResponse, request: RecordedRequest): void {
  onceClosed(response, () => record(records, request, response.writableFinished ? response.statusCode : CLIENT_LEFT));
}

/**
 * Records a request: its duration in the metrics, and one line in the log, whose level depends on the outcome. Neither
 * contains client data, except a numeric `id`: no path, query, header or body.
 */
export function record(
  { logger, metrics }: RequestRecords,
  { requestId, method: given, target, startedMs }: RecordedRequest,
  status: number,
): void {
  const method = METHODS.has(given) ? given : 'other';
  const { route, id, storedMs } = target();
  const ms = performance.now() - startedMs;
  metrics.requests.observe({ method, route, status }, ms / 1_000);
  const level = status >= 500 ? 'warn' : status >= 400 ? 'info' : 'debug';
  if (!logger.isLevelEnabled(level)) return;
  const stored = storedMs === undefined ? {} : { storedMs };
  const line = { requestId, method, route, ...idIn(id), ...stored, status, ms: Math.round(ms * 10) / 10 };
  logger[level](line, 'request');
}

/** Only a number in the path is logged. A secret that was sent in its place is not. */
function idIn(id: unknown): { id?: string } {
  return typeof id === 'string' && /^\d{1,16}$/.test(id) ? { id } : {};
}

/**
 * The target of a request that failed before its route was found, by its path; `other` if no operation has this path.
 */
function targetOf({ route, path }: Request, known: readonly DocumentPath[]): Target {
  const taken = typeof route?.path === 'string' ? route.path.replace(/:(\w+)/g, '{$1}') : undefined;
  const one = known.find((each) => (taken === undefined ? each.pattern.test(path) : each.path === taken));
  if (!one) return { route: taken ?? 'other' };
  // Express forgets the variables of a route that fails.
  return { route: one.path, id: one.path.includes('{id}') ? one.pattern.exec(path)?.[1] : undefined };
}
