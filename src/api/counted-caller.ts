import type { Request, Response } from 'express';
import type { Quota } from '../fairness/quota';
import type { Caller } from '../platform/caller';
import { type Authentication, authenticate } from './authentication';
import { limitRequests } from './middlewares/limit-requests';
import { visitorOf } from './visitor';

/** Identifies the caller, and counts the request for the user, or for the address if it is refused. Throws the refusal. */
export async function countedCaller(
  request: Request,
  response: Response,
  { authentication, requestQuota }: { authentication: Authentication; requestQuota: Quota },
  isChange: boolean,
): Promise<Caller> {
  const caller = await authenticate(request, authentication, isChange).catch(async (error: unknown) => {
    await countVisitor(request, response, requestQuota);
    throw error;
  });
  await limitRequests(requestQuota, `user:${caller.userId}`, response);
  return caller;
}

export async function countVisitor(request: Request, response: Response, requestQuota: Quota): Promise<void> {
  await limitRequests(requestQuota, `address:${visitorOf(request).network}`, response);
}
