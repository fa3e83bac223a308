import type { Request, Response } from 'express';
import type { Logger } from '../../platform/logger';
import type { Metrics } from '../../platform/metrics';
import { onceClosed } from './closed-response';

export interface RequestRecords {
  logger: Logger;
  metrics: Pick<Metrics, 'requests' | 'recent'>;
}

/** The path with names of variables, and the variable `id`. */
interface Target {
  route: string;
  id?: unknown;
}

interface RecordedRequest {
  method: string;
  status: number;
  ms: number;
  target: Target;
  requestId?: string;
  /** Consequences of the upload record it as well. */
  storedMs?: number;
}

/** Proxies log this if the client closed the connection before the response. */
const CLIENT_LEFT = 499;
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** When the response was sent, or the client disconnected. */
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

/** Duration in the metrics, and a line in the log. Without client data, except a numeric `id`. */
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

/** A secret in place of a number is not logged. */
function idIn(id: unknown): { id?: string } {
  return typeof id === 'string' && /^\d{1,16}$/.test(id) ? { id } : {};
}

/** The path of the operation or the page, as in the document; otherwise `other`. */
function targetOf(request: Request, { locals }: Response): Target {
  const { matched } = locals;
  if (matched) return { route: matched.operation.documentPath, id: matched.params.id };
  const path: unknown = request.route?.path;
  if (typeof path === 'string') return { route: path.replace(/:(\w+)/g, '{$1}') };
  return { route: 'other' };
}
