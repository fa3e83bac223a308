import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { AddressGuard } from '../../src/channels/address-guard';
import type { Channel, OutgoingDelivery } from '../../src/channels/channel';
import { EmailChannel } from '../../src/channels/email.channel';
import { SmtpTransport } from '../../src/channels/smtp.transport';
import { UrlChannel } from '../../src/channels/url.channel';
import { systemClock } from '../../src/clock';
import { startReceiver } from './receiver';

/** What the world out there does to an attempt, whatever the channel. */
export type Situation =
  | 'accepts'
  | 'asks for later'
  | 'refuses for good'
  | 'refuses the connection'
  | 'cuts the connection'
  | 'says nothing'
  | 'hangs in the middle'
  | 'cannot be found';

/** A channel in a situation, with a delivery that would go there. */
export interface Rig {
  channel: Channel;
  delivery: OutgoingDelivery;
  close(): Promise<void>;
}

export const SIGNING_SECRET = `whsec_${Buffer.from('a secret of exactly 24 b').toString('base64')}`;
/** What no error text may hold, wherever it stands in the rigs. */
export const SECRETS = ['s3cret', 'token=', 'mailuser', 'whsec_', 'ward@'];
const HANG_LIMIT_MS = 300;
const LIMIT_MS = 5_000;

export function outgoing(fields: Partial<OutgoingDelivery>): OutgoingDelivery {
  return {
    id: 7,
    webhookId: 'msg_0123456789abcdef',
    type: 'url',
    destination: '',
    text: 'hot',
    form: { sensor_id: '1', trigger_id: '2', text: 'hot' },
    subject: 'Trigger 2 fired',
    signingSecrets: [SIGNING_SECRET],
    ...fields,
  };
}

const limitIn = (situation: Situation) =>
  situation === 'says nothing' || situation === 'hangs in the middle' ? HANG_LIMIT_MS : LIMIT_MS;

export async function urlRig(situation: Situation): Promise<Rig> {
  const receiver = await startReceiver();
  if (situation === 'asks for later') receiver.answers.push(503);
  if (situation === 'refuses for good') receiver.answers.push(410);
  if (situation === 'cuts the connection') receiver.answers.push((response) => response.destroy());
  if (situation === 'says nothing') receiver.answers.push(() => undefined);
  if (situation === 'hangs in the middle') receiver.answers.push((response) => void response.writeHead(200).write('o'));
  if (situation === 'refuses the connection') await receiver.close();
  const url = situation === 'cannot be found' ? 'http://does-not-exist.invalid' : receiver.url;
  const channel = new UrlChannel(new AddressGuard(['127.0.0.0/8']), systemClock, limitIn(situation));
  const close = async () => {
    await channel.close();
    if (situation !== 'refuses the connection') await receiver.close();
  };
  return { channel, delivery: outgoing({ destination: `${url}/s3cret?token=s3cret` }), close };
}

export async function emailRig(situation: Situation): Promise<Rig> {
  const server = situation === 'cuts the connection' || situation === 'says nothing' ? rawServer(situation) : undefined;
  const smtp = server ?? mailServer(optionsIn(situation));
  const port = await (server ? listen(server) : listenForMail(smtp as SMTPServer)); // it is one or the other
  if (situation === 'refuses the connection') await closeServer(smtp);
  const host = situation === 'cannot be found' ? 'does-not-exist.invalid' : '127.0.0.1';
  const transport = new SmtpTransport(
    `smtp://mailuser:s3cret@${host}:${port}?requireTLS=false`,
    'Us <us@example.org>',
    {
      limitMs: limitIn(situation),
      trustAnyone: true,
    },
  );
  const channel = new EmailChannel(transport);
  const close = async () => {
    await channel.close();
    if (situation !== 'refuses the connection') await closeServer(smtp);
  };
  return { channel, delivery: outgoing({ type: 'email', destination: 'ward@example.org' }), close };
}

/** A real SMTP server on this machine that takes any login, unless `options` say otherwise. */
export function mailServer(options: SMTPServerOptions = {}): SMTPServer {
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onAuth: (_auth, _session, done) => done(null, { user: 'anyone' }),
    onData: (stream, _session, done) => {
      stream.on('end', () => done());
      stream.resume();
    },
    ...options,
  });
  server.on('error', () => undefined); // a client that breaks off is part of the tests
  return server;
}

export async function listenForMail(server: SMTPServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.server.address() as AddressInfo).port; // a TCP server's address is an AddressInfo
}

export function answerTo(code: number): Error {
  return Object.assign(new Error('ward@example.org is not wanted, s3cret'), { responseCode: code });
}

function optionsIn(situation: Situation): SMTPServerOptions {
  const code = { 'asks for later': 451, 'refuses for good': 550 }[situation as string]; // others have none
  if (code !== undefined) return { onRcptTo: (_address, _session, done) => done(answerTo(code)) };
  if (situation === 'hangs in the middle') return { onData: (stream) => void stream.resume() };
  return {};
}

/** Speaks no SMTP at all: it hangs up at once, or never says anything. */
function rawServer(situation: Situation): Server & { sockets: Set<Socket> } {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (situation === 'cuts the connection') socket.destroy();
  });
  return Object.assign(server, { sockets });
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port; // a TCP server's address is an AddressInfo
}

async function closeServer(server: SMTPServer | (Server & { sockets: Set<Socket> })): Promise<void> {
  if ('sockets' in server) for (const socket of server.sockets) socket.destroy();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
