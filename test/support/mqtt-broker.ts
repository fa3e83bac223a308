import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import tls from 'node:tls';
import { createWebSocketStream, WebSocketServer } from 'ws';
import { SERVER } from './certificates';
import { freePort } from './ports';

export type Transport = 'mqtt' | 'mqtts' | 'ws';

export interface Broker {
  url: string;
  /** The payloads of messages that subscribers acknowledged, in order. */
  acknowledged: string[];
  /** The names of clients, each time that one connects. */
  connects: string[];
  /** The filters that clients asked for. */
  asked: string[];
  /** It answers subscriptions afterwards. */
  answering: Promise<void>;
  /** The filters that clients subscribed to. */
  subscribed: string[];
  /** The filters that it refuses. */
  refused: Set<string>;
  /** Set to require it. */
  password: string | undefined;
  /** The number of clients that are connected now. */
  readonly clients: number;
  publish(topic: string, payload: string | Buffer, options?: { qos?: 0 | 1; retain?: boolean }): Promise<void>;
  /** Sends it to all clients, whatever they subscribed to: a broker that does not mean well keeps no rules. */
  deliver(topic: string, payload: string): Promise<void>;
  /** Breaks all connections and takes no more. Sessions stay, as with a broker that stores them. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** A real broker on this machine. What it delivers again is marked so, as the standard demands and Aedes does not. */
export async function startBroker(transport: Transport = 'mqtt'): Promise<Broker> {
  const aedes = await openAedes();
  markRepeated(aedes);
  const port = await freePort();
  const sockets = new Set<Socket>();
  const connected = new Set<Client>();
  let server: Server;
  const listen = () => {
    server = serverFor(aedes, transport);
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    return new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  };
  await listen();
  const broker: Broker = {
    url: `${transport}://127.0.0.1:${port}`,
    ...{ acknowledged: [], connects: [], asked: [], answering: Promise.resolve() },
    ...{ subscribed: [], refused: new Set<string>(), password: undefined },
    get clients() {
      return aedes.connectedClients;
    },
    publish: (topic, payload, { qos = 1, retain = false } = {}) =>
      new Promise((resolve, reject) => {
        const packet = { cmd: 'publish' as const, topic, payload: Buffer.from(payload), qos, retain, dup: false };
        aedes.publish(packet, (error) => (error ? reject(error) : resolve()));
      }),
    deliver: async (topic, payload) => {
      const packet = { cmd: 'publish' as const, topic, payload: Buffer.from(payload), qos: 1 as const };
      const send = (client: Client) =>
        new Promise<void>((resolve, reject) => {
          client.publish({ ...packet, retain: false, dup: false }, (error) => (error ? reject(error) : resolve()));
        });
      await Promise.all([...connected].map(send));
    },
    cut: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    restore: listen,
    close: async () => {
      await broker.cut();
      await new Promise<void>((resolve) => aedes.close(resolve));
    },
  };
  aedes.authenticate = (_client, _user, password, done) =>
    done(null, broker.password === undefined || String(password) === broker.password);
  aedes.authorizeSubscribe = (_client, subscription, done) => {
    broker.asked.push(subscription.topic);
    void broker.answering.then(() => done(null, broker.refused.has(subscription.topic) ? null : subscription));
  };
  aedes.on('ack', (packet) => {
    if (packet && 'payload' in packet) broker.acknowledged.push(String(packet.payload));
  });
  aedes.on('client', (client) => {
    broker.connects.push(client.id);
    connected.add(client);
  });
  aedes.on('clientDisconnect', (client) => connected.delete(client));
  aedes.on('subscribe', (subscriptions) => broker.subscribed.push(...subscriptions.map(({ topic }) => topic)));
  return broker;
}

type Aedes = Awaited<ReturnType<typeof openAedes>>;
type Client = NonNullable<Parameters<Aedes['authorizeSubscribe']>[0]>;

async function openAedes() {
  const { Aedes } = await import('aedes');
  return Aedes.createBroker();
}

function markRepeated(aedes: Aedes): void {
  const { persistence } = aedes as unknown as { persistence: { outgoingStream(client: unknown): Readable } };
  const stream = persistence.outgoingStream.bind(persistence);
  persistence.outgoingStream = (client) =>
    stream(client).map((packet: { messageId?: number }) => (packet.messageId ? { ...packet, dup: true } : packet));
}

function serverFor(aedes: Aedes, transport: Transport): Server {
  if (transport === 'mqtts') return tls.createServer(SERVER, aedes.handle);
  if (transport === 'mqtt') return createServer(aedes.handle);
  const server = createHttpServer();
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => aedes.handle(createWebSocketStream(socket)));
  return server;
}
