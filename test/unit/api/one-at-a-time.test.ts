import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { oneAtATime } from '../../../src/api/draining';

describe('requests that are sent ahead of answers', function () {
  this.timeout(10_000);
  let server: Server;
  let began: { request: IncomingMessage; response: ServerResponse }[];
  const clients: Socket[] = [];

  beforeEach(async () => {
    began = [];
    server = createServer(
      oneAtATime((request, response) => {
        began.push({ request, response });
        server.emit('began');
      }),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
    server.closeAllConnections();
    server.close();
  });

  const send = (requests: string): Socket => {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1'); // a TCP server's address is an AddressInfo
    clients.push(client);
    client.on('error', () => undefined).write(requests);
    return client;
  };
  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
  const pathsOf = () => began.map(({ request }) => request.url);

  it('begin one after another on a connection, and at once on others', async () => {
    const beginning = once(server, 'began');
    const answers = text(send(get('/1') + get('/2') + get('/3', 'Connection: close\r\n')));
    await beginning;
    const other = once(server, 'began');
    send(get('/other'));
    await other;
    assert.deepEqual(pathsOf(), ['/1', '/other']);
    for (const path of ['/2', '/3']) {
      const next = once(server, 'began');
      began
        .find(({ request, response }) => request.url !== '/other' && !response.writableEnded)
        ?.response.end('answered');
      await next;
      assert.equal(pathsOf().at(-1), path);
    }
    began.at(-1)?.response.end('answered');
    assert.equal((await answers).match(/answered/g)?.length, 3);
  });

  it('with a body arrive whole', async () => {
    const beginning = once(server, 'began');
    send(`${get('/1')}POST /2 HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n${'x'.repeat(100_000)}`);
    await beginning;
    const next = once(server, 'began');
    began[0]?.response.end();
    await next;
    const [, second] = began;
    assert.ok(second);
    assert.equal((await text(second.request)).length, 100_000);
  });

  it('close their connection when they are too many, and never begin', async () => {
    const client = send(get('/').repeat(500));
    client.resume();
    await once(client, 'close');
    assert.equal(began.length, 1);
  });
});
