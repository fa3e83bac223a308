// A client that needs little processor time, because it shares the processors with server and database.
import { createHash, randomBytes } from 'node:crypto';
import { Pool } from 'undici';

/** Sends requests over connections that stay open; throws unless the response is a success. */
export function openClient(port, headers = {}) {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 64, pipelining: 1 });
  const call = async (method, path, body) => {
    const response = await pool.request({
      method,
      path,
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
    return text;
  };
  return {
    /** Sends a body that is already a text. */
    send: (path, body) => call('POST', path, body),
    post: async (path, body) => JSON.parse(await call('POST', path, JSON.stringify(body))),
    get: async (path) => JSON.parse(await call('GET', path)),
    close: () => pool.close(),
  };
}

/** Registers a user and logs in: a client with a session. */
export async function registered(port) {
  const username = `bench-${randomBytes(6).toString('hex')}`;
  const password = createHash('md5').update(randomBytes(16)).digest('hex');
  const anonymous = openClient(port);
  const email = `${username}@example.org`;
  const { user } = await anonymous.post('/users?disable_mail=1', { user: { username, password, email } });
  const { session_id: session } = await anonymous.post('/login', { username, password });
  await anonymous.close();
  return { ...openClient(port, { 'x-session_id': session }), userId: Number(user.id), session };
}

/** Creates an object through the API and returns its id. */
export async function create(client, kind, fields) {
  return (await client.post(`/${kind}s`, { [kind]: fields }))[kind].id;
}
