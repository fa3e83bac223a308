import compression from 'compression';
import type { Express } from 'express';
import helmet from 'helmet';
import { absoluteLocation } from './absolute-location';
import type { Bodies } from './bodies';
import { type FindPayer, readBody } from './body';
import { cors } from './cors';
import { type ErrorContext, errorHandler } from './error-handler';
import { parseForm } from './form';
import { cleanPath, mergeParameters, overrideMethod, readQueryOnce } from './legacy-requests';
import { unknownOperation } from './method-not-allowed';
import { type RequestRecords, requestLog } from './request-log';

/** On every response, including those of the probes and the board. Pages add a policy about what they may load. */
export const securityHeaders = helmet({
  contentSecurityPolicy: false,
  crossOriginResourcePolicy: { policy: 'cross-origin' },
});

/** Everything that happens to a request before its operation, the same for all operations. */
export function installRequestConventions(
  app: Express,
  options: RequestRecords & { paths: Record<string, object>; publicUrl?: string; bodies: Bodies; findPayer: FindPayer },
): void {
  app.disable('x-powered-by');
  app.disable('etag');
  // Express's own parser reads lists differently.
  app.set('query parser', parseForm);
  app.use(requestLog(options, options.paths));
  app.use(cors);
  app.use(compression());
  app.use(absoluteLocation(options.publicUrl));
  app.use(cleanPath);
  app.use(readQueryOnce);
  app.use(readBody(options.bodies, options.findPayer));
  app.use(overrideMethod);
  app.use(mergeParameters);
}

/** Everything that happens if no operation has responded. `paths` are those of the OpenAPI document. */
export function installErrorConventions(app: Express, options: ErrorContext & { paths: Record<string, object> }): void {
  app.use(unknownOperation(options.paths));
  app.use(errorHandler(options));
}
