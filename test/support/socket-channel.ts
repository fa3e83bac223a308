import { connect, type Socket } from 'node:net';
import type { Channel, ChannelDescriptor, OutgoingDelivery } from '../../src/notifications/delivery/channels/channel';
import type { AttemptOutcome } from '../../src/notifications/delivery/delivery-schedule';
import { describeFailure } from '../../src/outbound/failure-reason';
import { inOneStep } from '../../src/platform/steps';
import { type OpenRig, outgoing, timeoutIn } from './channel-suite';
import { startSocketServer } from './socket-server';

const DEFAULT_TIMEOUT_MS = 5_000;

/** A third channel, which only tests have: a line of JSON to a TCP port, answered by `yes`, `later` or `never`. */
export const socketChannel: ChannelDescriptor = {
  checkDestination: (text) => (targetOf(text) ? null : 'must be tcp:// with a host and a port'),
  receiverOf: (text) => `tcp ${targetOf(text)?.host ?? 'none'}:${targetOf(text)?.port ?? ''}`,
  isReceiverFailure: ({ reason }) => reason !== 'asked for later',
  showsAlert: () => false,
  show: ({ destination, text }) =>
    inOneStep(() => ({
      ...{ method: null, url: destination, contentType: 'application/json', headers: {} },
      body: JSON.stringify({ text }),
    })),
  open: () => new SocketChannel(),
};

function targetOf(text: string): { host: string; port: number } | undefined {
  const [, host, port] = /^tcp:\/\/([\w.-]{1,200}):(\d{1,5})$/.exec(text) ?? [];
  return host && port ? { host, port: Number(port) } : undefined;
}

class SocketChannel implements Channel {
  constructor(private readonly timeoutMs = DEFAULT_TIMEOUT_MS) {}

  async send({ destination, webhookId, text }: OutgoingDelivery, onSent?: () => void): Promise<AttemptOutcome> {
    const target = targetOf(destination);
    if (!target) return { kind: 'refused', reason: 'not a tcp destination' };
    const socket = connect(target);
    try {
      socket.write(`${JSON.stringify({ id: webhookId, text })}\n`, () => onSent?.());
      return judge(await readLine(socket, this.timeoutMs));
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      return { kind: 'retry-later', reason: describeFailure(code) };
    } finally {
      socket.destroy();
    }
  }

  async close(): Promise<void> {}
}

function judge(answer: string): AttemptOutcome {
  if (answer === 'yes') return { kind: 'delivered' };
  if (answer === 'never') return { kind: 'refused', reason: 'refused permanently' };
  return { kind: 'retry-later', reason: 'asked for later' };
}

function readLine(socket: Socket, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let read = '';
    const fail = (code: string) => reject(Object.assign(new Error(code), { code }));
    socket.setTimeout(timeoutMs, () => fail('ETIMEDOUT'));
    socket.on('error', reject).on('close', () => fail('ECONNRESET'));
    socket.on('data', (chunk) => {
      read += chunk;
      if (read.endsWith('\n')) resolve(read.trimEnd());
    });
  });
}

/** The third channel in a situation. */
export const socketRig: OpenRig = async (situation) => {
  const answers: Partial<Record<typeof situation, string>> = {
    accepts: 'yes\n',
    'asks-for-later': 'later\n',
    'refuses-permanently': 'never\n',
    'stops-halfway': 'ye',
  };
  const server = await startSocketServer((socket) => {
    if (situation === 'cuts-the-connection') socket.destroy();
    socket.on('data', () => socket.write(answers[situation] ?? ''));
  });
  if (situation === 'refuses-the-connection') await server.stop();
  const host = situation === 'cannot-be-found' ? 'does-not-exist.invalid' : '127.0.0.1';
  const close = async () => {
    if (situation !== 'refuses-the-connection') await server.stop();
  };
  const delivery = outgoing({ destination: `tcp://${host}:${server.port}`, text: 's3cret' });
  return { channel: new SocketChannel(timeoutIn(situation)), delivery, close };
};
