// A client that costs little, as client, server and database share the processors.
import { createHash, randomBytes } from 'node:crypto';
import { Pool } from 'undici';

/** POSTs and reads answers over kept connections; throws unless the answer is a success. */
export function openClient(port, headers = {}) {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 64, pipelining: 1 });
  const call = async (method, path, body) => {
    const answer = await pool.request({
      method,
      path,
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    return text;
  };
  return {
    /** The body is a text: composing it is the caller's affair. */
    send: (path, body) => call('POST', path, body),
    post: async (path, body) => JSON.parse(await call('POST', path, JSON.stringify(body))),
    get: async (path) => JSON.parse(await call('GET', path)),
    close: () => pool.close(),
  };
}

/** Registers somebody and logs in: a client with a session. */
export async function registered(port) {
  const username = `bench-${randomBytes(6).toString('hex')}`;
  const password = createHash('md5').update(randomBytes(16)).digest('hex');
  const anonymous = openClient(port);
  const email = `${username}@example.org`;
  const { user } = await anonymous.post('/users?disable_mail=1', { user: { username, password, email } });
  const { session_id: session } = await anonymous.post('/login', { username, password });
  await anonymous.close();
  return { ...openClient(port, { 'x-session_id': session }), userId: Number(user.id) };
}

/** Makes one thing; gives its id. */
export async function create(client, kind, fields) {
  return (await client.post(`/${kind}s`, { [kind]: fields }))[kind].id;
}
