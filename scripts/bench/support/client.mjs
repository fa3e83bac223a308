// A client that needs little processor time, because it shares the processors with server and database. What is made before
// anything is measured is made by the typed client.
import { createRequire } from 'node:module';
import { Pool } from 'undici';

const require = createRequire(import.meta.url);
const setUp = require('../../support/typescript.cjs').load(require.resolve('./set-up.ts'));
const { register, makers, makeUploadKey } = setUp;

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
    /** The answer as a text. */
    read: (path) => call('GET', path),
    close: () => pool.close(),
  };
}

/** Registers a user and logs in: a client with a session, and `api`, the typed one. */
export async function registered(port) {
  const { api, userId, session } = await register(`http://127.0.0.1:${port}`);
  return { ...openClient(port, { 'x-session_id': session }), api, userId, session };
}

/** Creates a sensor, trigger or notification and returns its id. */
export function create(client, kind, fields) {
  return makers[kind](client.api, fields);
}

/** Lets a trigger watch a sensor, and report to a notification if there is one. */
export function connect(client, sensor, trigger, notification) {
  return setUp.connect(client.api, sensor, trigger, notification);
}

/** The secret of a key that uploads to these sensors. */
export function createUploadKey(client, sensors) {
  return makeUploadKey(client.api, sensors);
}

/** The deliveries of a notification. */
export function deliveriesOf(client, notification) {
  return setUp.deliveriesOf(client.api, notification);
}
