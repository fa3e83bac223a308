import type { NextFunction, Request, Response } from 'express';
import { PlatformError } from '../../platform/errors';
import { readPaths } from './document-paths';

/** 405 with `Allow` for a known path, 404 for an unknown one. */
export function unknownOperation(paths: Record<string, object>) {
  const known = readPaths(paths);
  return (request: Request, response: Response, next: NextFunction) => {
    const methods = new Set(known.filter(({ pattern }) => pattern.test(request.path)).flatMap((one) => one.methods));
    if (methods.size === 0) return next(new PlatformError(404, 'unknown_path', 'unknown path'));
    response.setHeader('Allow', [...methods].join(', '));
    next(new PlatformError(405, 'wrong_method', `this path takes ${[...methods].join(', ')}`));
  };
}

/** 405 with `Allow`, for a path that is not in the document. */
export function refuseOtherMethods(...methods: readonly string[]) {
  return (_request: Request, response: Response): never => {
    response.setHeader('Allow', methods.join(', '));
    throw new PlatformError(405, 'wrong_method', `this path takes ${methods.join(' and ')}`);
  };
}
