import type { Quota } from '../../fairness/quota';
import { type Allowance, TooMany } from '../../platform/errors';

/** The headers of a response that is not sent yet. */
export interface ResponseHeaders {
  getHeader(name: string): unknown;
  setHeader(name: string, value: string): unknown;
}

/**
 * Charges a request to a client and sets the `RateLimit-*` headers to the remaining allowance. Throws TooMany if there
 * is none.
 */
export async function limitRequests(requestQuota: Quota, client: string, response: ResponseHeaders): Promise<void> {
  const allowance = await requestQuota.charge(client);
  if (!allowance) return;
  showAllowance(response, allowance);
  if (allowance.exceeded) throw new TooMany('too many requests; try again later', allowance.resetSeconds);
}

/**
 * Sets the `RateLimit-*` headers of the IETF draft: every limit in `RateLimit-Policy`, and in the others the limit with
 * the least remaining allowance.
 */
export function showAllowance(response: ResponseHeaders, allowance: Allowance | undefined): void {
  if (!allowance) return;
  const { limit, windowSeconds, remaining, resetSeconds } = allowance;
  const others = response.getHeader('RateLimit-Policy');
  const policy = `${limit};w=${windowSeconds}`;
  response.setHeader('RateLimit-Policy', others === undefined ? policy : `${others}, ${policy}`);
  const shown = Number(response.getHeader('RateLimit-Remaining')) / Number(response.getHeader('RateLimit-Limit'));
  if (others !== undefined && shown <= remaining / limit) return;
  response.setHeader('RateLimit-Limit', String(limit));
  response.setHeader('RateLimit-Remaining', String(remaining));
  response.setHeader('RateLimit-Reset', String(resetSeconds));
}
