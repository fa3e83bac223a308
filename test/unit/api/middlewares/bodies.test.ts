import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Bodies } from '../../../../src/api/middlewares/bodies';
import { closeWithSocket } from '../../../../src/api/middlewares/closed-response';

const USER = 1;
const OTHER = 2;
/** Large: it needs one of two places. */
const BODY = 'x'.repeat(100_000);
/** Of these four are what one user may hold. */
const LARGEST = 'x'.repeat(8 * 1024 * 1024);

describe('large bodies', function () {
  this.timeout(30_000);
  let server: Server;
  let bodies: Bodies;
  /** Resolves when the body of so many requests has been read. */
  let reads: number;
  const clients: Socket[] = [];

  beforeEach(async () => {
    bodies = new Bodies();
    reads = 0;
    server = createServer(async (request, response) => {
      closeWithSocket(response);
      if (request.method === 'GET') return; // whose answer never begins
      try {
        await bodies.read(request, response, Number(request.headers.user));
        reads += 1;
        response.end('answered');
      } catch (error) {
        response.end(String(error));
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
    server.closeAllConnections();
    server.close();
  });

  const requestOf = (userId: number, body: string) =>
    `POST / HTTP/1.1\r\nHost: x\r\nUser: ${userId}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const send = (requests: string): Socket => {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1'); // a TCP server's address is an AddressInfo
    clients.push(client);
    client.on('error', () => undefined).write(requests);
    return client;
  };
  /** Sends bodies whose answers wait behind another on their connection. */
  const sendBehind = async (userId: number, body: string, count: number) => {
    const before = reads;
    send(`GET / HTTP/1.1\r\nHost: x\r\n\r\n${requestOf(userId, body).repeat(count)}`);
    while (reads < before + count) await new Promise((resolve) => setImmediate(resolve));
  };
  const answerTo = (userId: number, body: string) =>
    text(send(requestOf(userId, body).replace('Host: x', 'Host: x\r\nConnection: close')));

  it('leave their places to others when they have been answered, whether or not the answers are taken', async () => {
    await sendBehind(USER, BODY, 2);
    assert.match(await answerTo(OTHER, BODY), /answered$/);
  });

  it('are charged to their users until they have been answered', async () => {
    await sendBehind(USER, LARGEST, 4);
    assert.match(await answerTo(USER, LARGEST), /answered$/);
  });
});
