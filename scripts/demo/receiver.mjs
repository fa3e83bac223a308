// The receiver of the notifications: an HTTP server on this machine that records requests with their times.
import { createServer } from 'node:http';

export async function startReceiver() {
  const received = [];
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString('utf8')));
      received.push({ id: request.headers['webhook-id'], form, at: Date.now() });
      response.end('thanks');
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/alerts`,
    received,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}
