// Three kinds of receivers: reliable, unreliable, and one that hangs. They record every request they get.
import { createServer } from 'node:http';

/** A receiver fails the same delivery at most this often: the schedule of attempts must fit into the run. */
const FAILURES_PER_DELIVERY = 2;

/**
 * A receiver must take more than the run produces, on a fast machine too: each 429 stops all its deliveries for some two
 * seconds, and what hangs keeps one of its places until the time limit of an attempt.
 */
const MOODS = {
  steady: [['ok', 1]],
  moody: [
    ['ok', 200],
    ['error', 100],
    ['busy', 2],
    ['cut', 100],
  ],
  hanging: [
    ['ok', 14],
    ['hang', 1],
  ],
};

export const MOOD_NAMES = Object.keys(MOODS);

/**
 * Starts one receiver per mood, each on a separate port; `received` holds `{id, mood, text, triggerId, atMs, action}`.
 */
export async function startReceivers(random) {
  const received = [];
  const servers = await Promise.all(MOOD_NAMES.map((mood) => startReceiver(mood, random, received)));
  return {
    urls: Object.fromEntries(MOOD_NAMES.map((mood, index) => [mood, servers[index].url])),
    received,
    close: () => Promise.all(servers.map(({ close }) => close())),
  };
}

async function startReceiver(mood, random, received) {
  const failures = new Map();
  const server = createServer(async (request, response) => {
    const chunks = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return; // the sender was killed while it sent
    }
    const id = request.headers['webhook-id'];
    const failed = failures.get(id) ?? 0;
    const action = failed < FAILURES_PER_DELIVERY ? random.pick(MOODS[mood]) : 'ok';
    if (action !== 'ok') failures.set(id, failed + 1);
    const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString('utf8')));
    received.push({ id, mood, text: form.text, triggerId: form.trigger_id, atMs: Date.now(), action });
    respond(action, request, response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

function respond(action, request, response) {
  if (action === 'ok') response.end('thanks');
  if (action === 'error') response.writeHead(500).end('not now');
  if (action === 'busy') response.writeHead(429, { 'Retry-After': '2' }).end();
  if (action === 'cut') request.socket.destroy();
  // 'hang': never responds
}
