import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServerConnections } from '../../../src/api/close-server';
import { Draining } from '../../../src/api/draining';
import { createHttpServer } from '../../../src/api/http-server';
import { createLogger } from '../../../src/platform/logger';
import { buildSensor } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { until } from '../../support/until';

const POINT = '{"value":1,"date":1}';

/** What a client has got on one connection. */
class Client {
  readonly socket: Socket;
  text = '';
  hasEnded = false;

  constructor(server: Server) {
    const { port } = server.address() as AddressInfo; // a TCP server's address is an AddressInfo
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setNoDelay(true).setEncoding('latin1');
    this.socket.on('data', (text: string) => {
      this.text += text;
    });
    this.socket.on('error', () => undefined);
    this.socket.once('end', () => {
      this.hasEnded = true;
    });
  }

  get statuses(): number[] {
    return Array.from(this.text.matchAll(/HTTP\/1\.1 (\d+) /g), ([, status]) => Number(status));
  }

  /** Sends bytes, and waits until there are so many responses in all. */
  async send(bytes: string, responses: number): Promise<void> {
    this.socket.write(bytes);
    await until(
      `there are ${responses} responses`,
      () => this.statuses.length >= responses && /[}\]]$/.test(this.text),
    );
  }
}

describe('a connection of uploads', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  let sensorId: string;
  let server: Server;
  let draining: Draining;
  const lines: Record<string, unknown>[] = [];

  before(async () => {
    sensorId = await buildSensor(user);
    const logger = createLogger('debug', 'test', { write: (line) => lines.push(JSON.parse(line)) });
    draining = new Draining();
    server = createHttpServer({ ...platform.container, logger }, draining);
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  beforeEach(() => {
    lines.length = 0;
  });
  after(() => new ServerConnections(server).close({ drainMs: 100, unusedMs: 0 }));

  const upload = (body = POINT, session = user.session) =>
    [
      `POST /sensors/${sensorId}/data HTTP/1.1`,
      ...['Host: x', `X-SESSION_ID: ${session}`, `Content-Length: ${Buffer.byteLength(body)}`, '', body],
    ].join('\r\n');
  const stored = async () => {
    const { body } = await user.api.get(`/sensors/${sensorId}/data?last=1`);
    return body.data[0].value;
  };
  const dateNow = (value: number) => JSON.stringify({ value, date: Date.now() / 1_000 });

  it('carries uploads and other requests', async () => {
    const client = new Client(server);
    for (const [index, value] of [1, 22, 333, 333].entries()) await client.send(upload(dateNow(value)), index + 1);
    await client.send(upload('{"value":'), 5);
    await client.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n', 6);
    await client.send(upload('{"value":"€"}'), 7);
    assert.deepEqual(client.statuses, [201, 201, 201, 201, 400, 200, 201]);
    assert.equal(await stored(), '€');
    client.socket.destroy();
  });

  it('answers in order what comes at once, in pieces, or before the answer to what came first', async () => {
    for (const pieces of [
      [upload() + upload('{') + upload()],
      [upload().slice(0, 30), upload().slice(30) + upload('{'), upload()],
      [upload(), upload('{'), upload()],
      [upload(), upload('{') + upload().slice(0, -1), upload().slice(-1)],
    ]) {
      const client = new Client(server);
      for (const piece of pieces) {
        client.socket.write(piece);
        await new Promise(setImmediate);
      }
      await until('all are answered', () => client.statuses.length === 3);
      assert.deepEqual(client.statuses, [201, 400, 201], JSON.stringify(pieces));
      client.socket.destroy();
    }
  });

  it('refuses a session that it does not know, with all that came after it', async () => {
    const client = new Client(server);
    client.socket.write(upload());
    client.socket.write(upload(POINT, 'x'.repeat(27)));
    await sleep(20);
    client.socket.write(upload());
    await until('all are answered', () => client.statuses.length === 3);
    assert.deepEqual(client.statuses, [201, 401, 201]);
    assert.match(client.text, /"code":"no_session"/);
    client.socket.destroy();
  });

  it('records a client that has left', async () => {
    const leaving = new Client(server);
    await leaving.send(upload(), 1);
    const sensors = await platform.container.database.pool.getConnection();
    try {
      await sensors.query('START TRANSACTION');
      await sensors.query('SELECT * FROM data_points WHERE sensor_id = ? FOR UPDATE', [sensorId]);
      leaving.socket.write(upload());
      await sleep(50);
      leaving.socket.destroy();
      await sleep(50);
    } finally {
      await sensors.query('ROLLBACK');
      sensors.release();
    }
    await until('the last is recorded', () => lines.length === 2);
    assert.deepEqual(
      lines.map(({ status, route, id }) => ({ status, route, id })),
      [201, 499].map((status) => ({ status, route: '/sensors/{id}/data', id: sensorId })),
    );
  });

  it('survives a client that resets it in the middle', async () => {
    for (const bytes of [upload(), upload() + upload(), upload().slice(0, 40), '']) {
      const client = new Client(server);
      await once(client.socket, 'connect');
      client.socket.write(bytes);
      client.socket.resetAndDestroy();
    }
    const client = new Client(server);
    await client.send(upload(), 1);
    assert.deepEqual(client.statuses, [201]);
    client.socket.destroy();
    await until('no request is taken for one that is being answered', () => draining.count === 0);
  });

  it('gives back what its requests hold, however many had not been answered when the client left', async () => {
    const points = Array.from({ length: 2_000 }, (_, date) => ({ value: 'x'.repeat(40), date }));
    const large = upload(JSON.stringify({ data: points })); // more than 64 KB: these wait for each other
    for (let delayMs = 0; delayMs < 40; delayMs += 1) {
      const client = new Client(server);
      client.socket.write(large.repeat(4));
      await sleep(delayMs);
      client.socket.resetAndDestroy();
    }
    await until('no request is taken for one that is being answered', () => draining.count === 0);
    const client = new Client(server);
    await client.send(large, 1);
    assert.deepEqual(client.statuses, [201]);
    client.socket.destroy();
  });

  it('is closed while it is idle, and after the answer to what is under way', async () => {
    const other = createHttpServer(platform.container);
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const [idle, busy] = [new Client(other), new Client(other)];
    await Promise.all([idle.send(upload(), 1), busy.send(upload(), 1)]);
    busy.socket.write(upload());
    await until('it is being answered', async () => busy.socket.bytesWritten > upload().length);
    await sleep(1);
    await new ServerConnections(other).close({ drainMs: 1_000, unusedMs: 0 });
    await until('both have ended', () => idle.hasEnded && busy.hasEnded);
    assert.ok(busy.statuses.every((status) => status === 201));
  });

  it('gets answers that close it once the process is about to end', async () => {
    const client = new Client(server);
    await client.send(upload(), 1);
    draining.begin();
    await client.send(upload(), 2);
    await until('it has ended', () => client.hasEnded);
    assert.deepEqual(client.statuses, [201, 201]);
    assert.match(client.text, /Connection: close\r\n\r\n[^\n]*$/);
    assert.equal(draining.count, 0);
  });
});
