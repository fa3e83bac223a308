import type { ServerResponse } from 'node:http';
import { TooMany } from '../../errors';
import type { RequestLimit } from '../../redis/request-limit';

/** Counts a request of a client and sets `RateLimit-*` headers to what is left; throws TooMany when nothing is. */
export async function limitRequests(
  requestLimit: RequestLimit,
  client: string,
  response: ServerResponse,
): Promise<void> {
  const allowance = await requestLimit.count(client);
  if (!allowance) return;
  const { limit, windowSeconds, remaining, resetSeconds, exceeded } = allowance;
  response.setHeader('RateLimit-Policy', `${limit};w=${windowSeconds}`);
  response.setHeader('RateLimit-Limit', String(limit));
  response.setHeader('RateLimit-Remaining', String(remaining));
  response.setHeader('RateLimit-Reset', String(resetSeconds));
  if (exceeded) throw new TooMany('too many requests; try again later', resetSeconds);
}
