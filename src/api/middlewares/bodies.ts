import type { IncomingMessage, ServerResponse } from 'node:http';
import { ByteBudget } from '../../fairness/byte-budget';
import { FairSemaphore } from '../../fairness/fair-semaphore';
import { PlatformError, TooMany, Unavailable } from '../../platform/errors';
import { arrived, readBytes, SMALL_BYTES } from './body-reader';
import { onceAnswered, onceClosed } from './closed-response';

/** Large bodies that are parsed and answered at the same time; small ones never wait. */
const LARGE_AT_ONCE = 2;
/** Large bodies of one user that may wait for that. */
const LARGE_WAITING = 100;
/** Unpacked bodies, until their answers begin: nobody waits for how slowly others take theirs. */
const HELD = { ofUser: 32 * 1024 * 1024, ofAll: 128 * 1024 * 1024 };
const REFUSALS = {
  ofUser: () => new TooMany('too many of your large bodies are being uploaded', 1),
  ofAll: () => new Unavailable('too much is being uploaded at the moment', 1),
};

/**
 * Reads the bodies of all requests of a process. Up to 64 KB anybody may send. More needs a session, a key or a token; its memory is charged
 * to the user, and such bodies are handled a few at a time, by turns of their users.
 */
export class Bodies {
  private readonly budget = new ByteBudget(HELD, REFUSALS);
  private readonly gate = new FairSemaphore<number>(LARGE_AT_ONCE, LARGE_WAITING);
  private readonly parsed = new WeakMap<IncomingMessage, { body: unknown }>();

  /** Reads a body to its end, unpacked, at the expense of a user; without one, refuses what is large. Throws what the client is answered. */
  async read(request: IncomingMessage, response: ServerResponse, userId: number | undefined): Promise<Buffer> {
    if (isSurelySmall(request)) return (await arrived(request)) ?? readBytes(request, response, refuse);
    let held = 0;
    const closed = new AbortController();
    onceClosed(response, () => closed.abort());
    onceAnswered(response, () => {
      if (userId !== undefined) this.budget.release(userId, held);
    });
    const bytes = await readBytes(request, response, (more) => {
      if (userId === undefined) return refuse();
      this.budget.charge(userId, more);
      held += more;
    });
    if (bytes.length > SMALL_BYTES && userId !== undefined) {
      onceAnswered(response, await this.gate.enter(userId, closed.signal));
    }
    return bytes;
  }

  /** Keeps a body that was read and parsed before the request goes to express. */
  keep(request: IncomingMessage, body: unknown): void {
    this.parsed.set(request, { body });
  }

  /** The body that was kept, and is not kept any more. */
  take(request: IncomingMessage): { body: unknown } | undefined {
    const kept = this.parsed.get(request);
    this.parsed.delete(request);
    return kept;
  }
}

/** Whether a body is small, whatever comes: it is charged to nobody, and its session may be looked up later, with others. */
export function isSurelySmall({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  const encoding = headers['content-encoding'] ?? 'identity';
  return length !== undefined && Number(length) <= SMALL_BYTES && encoding === 'identity';
}

function refuse(): never {
  const what = 'a valid session or key in the header, the cookie or the query';
  throw new PlatformError(413, 'too_large', `a body of more than 64 KB needs ${what}`);
}
