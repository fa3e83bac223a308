// A client of a running platform, which repeats its requests while the platform restarts.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type Client, createClient, passwordDigest } from '../../client/src';

const TRY_AGAIN_MS = 500;
const GIVE_UP_AFTER_MS = 120_000;
const LONGEST_REQUEST_MS = 30_000;

/** A signed-in user of the demo. */
export interface Visitor {
  client: Client;
  email: string;
}

/**
 * Registers a new user and logs in. Every call is retried while the platform is down, because all of them may be
 * repeated.
 */
export async function connect(baseUrl: string): Promise<Visitor> {
  const username = `demo-${randomBytes(6).toString('hex')}`;
  const password = randomBytes(16).toString('hex');
  const email = `${username}@example.org`;
  const client = createClient({ baseUrl, tries: 1, fetch: untilItAnswers });
  const user = { username, password: passwordDigest(password), email, name: 'Demo' };
  await client.post('/users', { body: { user, disable_mail: true } }).catch((error: unknown) => {
    // An earlier attempt succeeded, but its response was lost.
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
  });
  await client.login(username, password);
  return { client, email };
}

/** Retries a request while there is no answer, or a temporary error. */
async function untilItAnswers(request: Request): Promise<Response> {
  const deadline = Date.now() + GIVE_UP_AFTER_MS;
  for (;;) {
    const signal = AbortSignal.timeout(LONGEST_REQUEST_MS);
    const outcome = await fetch(request.clone(), { signal }).catch((error: unknown) => ({ error }));
    const isOver = Date.now() > deadline;
    if ('status' in outcome && (isOver || (outcome.status < 500 && outcome.status !== 429))) return outcome;
    if ('error' in outcome && isOver) throw outcome.error;
    await sleep(TRY_AGAIN_MS);
  }
}

/** Polls until `condition` returns a result; after `limitMs` it fails and names `what`. */
export async function waitUntil<T>(
  what: string,
  condition: () => Promise<T | undefined | false>,
  limitMs: number,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const result = await condition();
    if (result) return result;
    if (Date.now() > deadline) throw new Error(`gave up after waiting ${Math.round(limitMs / 1000)} s for ${what}`);
    await sleep(100);
  }
}

/** All items of a list. */
export async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
