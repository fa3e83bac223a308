// Speaks to a running platform as an ordinary client, and keeps trying while it restarts.
import { createHash, randomBytes } from 'node:crypto';

const TRY_AGAIN_MS = 500;
const PATIENCE_MS = 120_000;

/** Registers a user of its own and logs in. Every call is repeated while the platform is away: all of them may be. */
export async function connect(baseUrl) {
  const username = `demo-${randomBytes(6).toString('hex')}`;
  const password = createHash('md5').update(randomBytes(16)).digest('hex');
  const user = { username, password, email: `${username}@example.org`, name: 'Demo' };
  let session;

  async function call(method, path, body, { accept = [200, 201] } = {}) {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const problem = await attempt(method, path, body, accept).catch((error) => ({ error }));
      if ('body' in problem) return problem.body;
      if (problem.final || Date.now() > deadline) throw problem.error;
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
    const answer = await response.json();
    if (accept.includes(response.status)) return { body: answer };
    const error = new Error(`${method} ${path} answered ${response.status}: ${answer.error}`);
    return { error, final: response.status < 500 && response.status !== 429 };
  }

  // 409: an earlier try got through, only its answer was lost.
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
    const answer = await client.get(`${path}${path.includes('?') ? '&' : '?'}page=${page}&per_page=1000`);
    found.push(...answer[key]);
    if (answer[key].length < 1000) return found;
  }
}

/** Asks until `condition` holds; fails with `what` after `limitMs`. */
export async function waitUntil(what, condition, limitMs) {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const result = await condition();
    if (result) return result;
    if (Date.now() > deadline) throw new Error(`waited ${Math.round(limitMs / 1000)} s in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
