import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { ServerConnections } from '../../../src/api/close-server';
import { Draining } from '../../../src/api/draining';

/** So long that a test which waits for it fails. */
const NEVER_MS = 600_000;

describe('closing a server', () => {
  let server: Server;
  let connections: ServerConnections;
  let draining: Draining;
  let answer: () => void;
  let asked: Promise<void>;
  const clients: Socket[] = [];

  beforeEach(async () => {
    draining = new Draining();
    asked = new Promise((resolve) => {
      server = createServer(
        draining.watch((_request, response) => {
          answer = () => response.end('answered');
          resolve();
        }),
      );
    });
    connections = new ServerConnections(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
    server.closeAllConnections();
  });

  const open = async () => {
    const accepted = once(server, 'connection');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1'); // a TCP server's address is an AddressInfo
    clients.push(client);
    client.resume();
    await accepted;
    return client;
  };

  it('does not wait for clients that have opened a connection ahead and sent nothing', async () => {
    const early = await open();
    const ended = once(early, 'close');
    await connections.close({ unusedMs: 1, drainMs: NEVER_MS });
    await ended;
  });

  it('answers what is under way first', async () => {
    const client = await open();
    let received = '';
    client.on('data', (data) => {
      received += data;
    });
    client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await asked;
    draining.begin();
    assert.equal(draining.count, 1);
    const ended = once(client, 'close');
    const closed = connections.close({ unusedMs: 1, drainMs: NEVER_MS });
    // The connection on which something has come outlives those on which nothing has.
    await new Promise((resolve) => setTimeout(resolve, 20));
    answer();
    await closed;
    await ended;
    assert.match(received, /answered/);
    assert.equal(draining.count, 0);
  });

  it('cuts off what takes too long', async () => {
    const client = await open();
    client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await asked;
    const ended = once(client, 'close');
    await connections.close({ unusedMs: NEVER_MS, drainMs: 1 });
    await ended;
  });
});
