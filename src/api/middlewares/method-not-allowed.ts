import type { Request, Response } from 'express';
import { PlatformError } from '../../platform/errors';

/** 405 with `Allow`, or 404 if no operation has the path. */
export function unknownOperation(methods: readonly string[], response: Response): PlatformError {
  if (methods.length === 0) return new PlatformError(404, 'unknown_path', 'unknown path');
  response.setHeader('Allow', methods.join(', '));
  return new PlatformError(405, 'wrong_method', `this path takes ${methods.join(', ')}`);
}

/** 405 with `Allow`, for a path that is not in the document. */
export function refuseOtherMethods(...methods: readonly string[]) {
  return (_request: Request, response: Response): never => {
    response.setHeader('Allow', methods.join(', '));
    throw new PlatformError(405, 'wrong_method', `this path takes ${methods.join(' and ')}`);
  };
}
