import type { Request, Response } from 'express';

/** Operations set a path. */
export function absoluteLocation(publicUrl: string | undefined, request: Request, response: Response): void {
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) => {
    const isPath = name.toLowerCase() === 'location' && typeof value === 'string' && value.startsWith('/');
    return setHeader(name, isPath ? `${publicUrl ?? baseOf(request)}${value}` : value);
  };
}

function baseOf(request: Request): string {
  return `${request.protocol}://${request.host ?? 'localhost'}`;
}
