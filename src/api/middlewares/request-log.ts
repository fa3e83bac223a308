import type { Request, Response } from 'express';
import type { Logger } from '../../platform/logger';
import type { Metrics } from '../../platform/metrics';
import { onceClosed } from './closed-response';

/** Where requests are recorded. */
export interface RequestRecords {
  logger: Logger;
  metrics: Pick<Metrics, 'requests' | 'recent'>;
}

/** The subject of a request: its path with names in place of its variables, and the variable `id`. */
interface Target {
  route: string;
  id?: unknown;
}

/** A request whose response was sent. */
interface RecordedRequest {
  method: string;
  status: number;
  ms: number;
  target: Target;
  requestId?: string;
  /** When the points of an upload were stored. Consequences of the upload record it as well. */
  storedMs?: number;
}

/** As proxies log it: the client closed the connection before the response was sent. */
const CLIENT_LEFT = 499;
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Records a request when its response was sent, or the client disconnected. */
export function recordRequest(records: RequestRecords, request: Request, response: Response): void {
  const startedMs = performance.now();
  const { method } = request;
  onceClosed(response, () => {
    const status = response.writableFinished ? response.statusCode : CLIENT_LEFT;
    record(records, {
      method,
      status,
      ms: performance.now() - startedMs,
      requestId: response.locals.requestId,
      storedMs: response.locals.storedMs,
      target: targetOf(request, response),
    });
  });
}

/**
 * Records a request: its duration in the metrics, and one line in the log, whose level depends on the outcome. Neither
 * contains client data, except a numeric `id`: no path, query, header or body.
 */
function record(
  { logger, metrics }: RequestRecords,
  { method: given, status, ms, requestId, storedMs, target: { route, id } }: RecordedRequest,
): void {
  const method = METHODS.has(given) ? given : 'other';
  metrics.requests.observe({ method, route, status }, ms / 1_000);
  metrics.recent.addResponse(status);
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

/** The path as in the document: of the operation, even if it lacks the method, or of the page; `other` if there is neither. */
function targetOf(request: Request, { locals }: Response): Target {
  const { matched } = locals;
  if (matched) return { route: matched.operation.documentPath, id: matched.params.id };
  const path: unknown = request.route?.path;
  if (typeof path === 'string') return { route: path.replace(/:(\w+)/g, '{$1}') };
  return { route: 'other' };
}
