// A client of a platform whose processes are killed: it tries one API process after another until one responds.
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const GIVE_UP_AFTER_MS = 180_000;
const ANSWERED_WITHIN_MS = 20_000;
/** A hundred clients that try again every 100 ms keep this process so busy that its receivers answer late. */
const PAUSE_MS = { first: 100, longest: 1_600 };

/** Registers a user and logs in. Calls are repeated until one succeeds, so only use it for calls that may be repeated. */
export async function connect(apiPorts) {
  const username = `torture-${randomBytes(6).toString('hex')}`;
  const password = createHash('md5').update(randomBytes(16)).digest('hex');
  let session;
  let tries = 0;
  const repeated = { count: 0 };

  async function call(method, path, body, onTry = () => {}, credential = session && { 'X-SESSION_ID': session }) {
    const until = Date.now() + GIVE_UP_AFTER_MS;
    for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS.longest)) {
      tries += 1;
      onTry();
      const outcome = await Promise.race([
        attempt(apiPorts[tries % apiPorts.length], method, path, { content: body, credential }),
        // For a response that neither ends nor fails after its connection was lost.
        sleep(2 * ANSWERED_WITHIN_MS, { why: 'no answer' }, { ref: false }),
      ]);
      if (outcome.body !== undefined) return outcome.body;
      if (outcome.final || Date.now() > until) throw new Error(`${method} ${path}: ${outcome.why}`);
      repeated.count += 1;
      await sleep(pauseMs);
    }
  }

  await call('POST', '/users?disable_mail=1', { user: { username, password, email: `${username}@example.org` } });
  session = (await call('POST', '/login', { username, password })).session_id;
  return {
    session,
    repeated,
    get: (path) => call('GET', path),
    post: (path, body, onTry) => call('POST', path, body, onTry),
    /** Sends a text with a key instead of the session. */
    write: (path, text, key) => call('POST', path, text, undefined, { Authorization: `Token ${key}` }),
    put: (path, body, onTry) => call('PUT', path, body, onTry),
    delete: (path, onTry) => call('DELETE', path, undefined, onTry),
  };
}

/** Returns the body of a success, or why there is none, and whether trying again is of no use. */
async function attempt(port, method, path, { content, credential }) {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...credential },
      body: content === undefined || typeof content === 'string' ? content : JSON.stringify(content),
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
    });
    const { ok, status } = response;
    const body = await bodyOf(response);
    // What was deleted by an attempt without an answer is not found by the next one.
    if (ok || (method === 'DELETE' && status === 404)) return { body };
    return { why: `${status} ${body.error}`, final: status < 500 && status !== 429 };
  } catch (error) {
    return { why: String(error.cause ?? error) };
  }
}

/** The body, parsed if it is JSON. */
async function bodyOf(response) {
  const text = await response.text();
  return /application\/json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text;
}
