import type { IncomingMessage, ServerResponse } from 'node:http';
import { ByteBudget } from '../../fairness/byte-budget';
import { FairSemaphore } from '../../fairness/fair-semaphore';
import { PlatformError, TooMany, Unavailable } from '../../platform/errors';
import { BODY_BYTES, LARGE_BODIES } from '../knobs';
import { arrived, readBytes, SMALL_BYTES } from './body-reader';
import { onceAnswered, whenClosed } from './closed-response';

const REFUSALS = {
  ofUser: () => new TooMany('too many of your large bodies are being uploaded', 1),
  ofAll: () => new Unavailable('too much is being uploaded at the moment', 1),
};

/**
 * Anyone may send up to 64 KB. A larger body needs a session, a key or a token, is charged to the user, and waits:
 * round-robin by user.
 */
export class Bodies {
  private readonly budget = new ByteBudget(BODY_BYTES, REFUSALS);
  private readonly gate = new FairSemaphore<number>(LARGE_BODIES);

  /** Charges the user; without one, refuses large bodies. Throws the client's error. */
  async read(request: IncomingMessage, response: ServerResponse, userId: number | undefined): Promise<Buffer> {
    if (isSurelySmall(request)) return (await arrived(request)) ?? readBytes(request, response, refuse);
    let held = 0;
    const closed = whenClosed(response);
    onceAnswered(response, () => {
      if (userId !== undefined) this.budget.release(userId, held);
    });
    const bytes = await readBytes(request, response, (more) => {
      if (userId === undefined) return refuse();
      this.budget.charge(userId, more);
      held += more;
    });
    if (bytes.length > SMALL_BYTES && userId !== undefined) {
      onceAnswered(response, await this.gate.enter(userId, closed));
    }
    return bytes;
  }
}

/** Small for certain: charged to no user, and the session may be looked up later, in a batch. */
export function isSurelySmall({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  const encoding = headers['content-encoding'] ?? 'identity';
  return length !== undefined && Number(length) <= SMALL_BYTES && encoding === 'identity';
}

function refuse(): never {
  const what = 'a valid session or key in the header, the cookie or the query';
  throw new PlatformError(413, 'too_large', `a body of more than 64 KB needs ${what}`);
}
