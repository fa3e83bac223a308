import type { Quota } from '../../fairness/quota';
import { type Allowance, TooMany } from '../../platform/errors';

export interface ResponseHeaders {
  getHeader(name: string): unknown;
  setHeader(name: string, value: string): unknown;
}

/** Sets the `RateLimit-*` headers. Throws TooMany without an allowance. */
export async function limitRequests(requestQuota: Quota, client: string, response: ResponseHeaders): Promise<void> {
  const allowance = await requestQuota.charge(client);
  if (!allowance) return;
  showAllowance(response, allowance);
  if (allowance.exceeded) throw new TooMany('too many requests; try again later', allowance.resetSeconds);
}

/**
 * `RateLimit-*` of the IETF draft: all limits in `RateLimit-Policy`, the one with the least allowance in the others.
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
