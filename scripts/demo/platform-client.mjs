// A client of a running platform, which repeats its requests while the platform restarts.
import { createHash, randomBytes } from 'node:crypto';

const TRY_AGAIN_MS = 500;
const GIVE_UP_AFTER_MS = 120_000;

/** Registers a new user and logs in. Every call is repeated while the platform is down: all of them may be repeated. */
export async function connect(baseUrl) {
  const username = `demo-${randomBytes(6).toString('hex')}`;
  const password = createHash('md5').update(randomBytes(16)).digest('hex');
  const user = { username, password, email: `${username}@example.org`, name: 'Demo' };
  let session;

  async function call(method, path, body, { accept = [200, 201] } = {}) {
    const deadline = Date.now() + GIVE_UP_AFTER_MS;
    for (;;) {
      const outcome = await attempt(method, path, body, accept).catch((error) => ({ error }));
      if ('body' in outcome) return outcome.body;
      if (outcome.final || Date.now() > deadline) throw outcome.error;
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
    }
  }

  async function attempt(method, path, body, accept) {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { 'Content-Type': 'application/json', ...(session ? { 'X-SESSION_ID': session } : {}) },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    const content = await response.json();
    if (accept.includes(response.status)) return { body: content };
    const error = new Error(`${method} ${path} failed with ${response.status}: ${content.error}`);
    return { error, final: response.status < 500 && response.status !== 429 };
  }

  // 409: an earlier attempt succeeded, but its response was lost.
  await call('POST', '/users', { user, disable_mail: 1 }, { accept: [201, 409] });
  session = (await call('POST', '/login', { username, password })).session_id;
  return {
    email: user.email,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
  };
}

/** All pages of a list. */
export async function readAll(client, path, key) {
  const found = [];
  for (let page = 0; ; page += 1) {
    const content = await client.get(`${path}${path.includes('?') ? '&' : '?'}page=${page}&per_page=1000`);
    found.push(...content[key]);
    if (content[key].length < 1000) return found;
  }
}

/** Polls until `condition` returns a result; after `limitMs` it fails and names `what`. */
export async function waitUntil(what, condition, limitMs) {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const result = await condition();
    if (result) return result;
    if (Date.now() > deadline) throw new Error(`gave up after waiting ${Math.round(limitMs / 1000)} s for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
