import type { Request, Response } from 'express';

const EXPOSED =
  'X-SESSION_ID, Location, X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy';

/**
 * Any origin, without credentials: a page sends its session in a header (Fetch standard). Returns true if it has
 * answered.
 */
export function cors(request: Request, response: Response): boolean {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', EXPOSED);
  if (request.method !== 'OPTIONS') return false;
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, DELETE, OPTIONS');
  response.setHeader(
    'Access-Control-Allow-Headers',
    'X-SESSION_ID, Content-Type, Accept, Authorization, Last-Event-ID',
  );
  response.setHeader('Access-Control-Max-Age', '86400');
  response.status(200).json({});
  return true;
}
