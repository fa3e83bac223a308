import type { SMTPServerOptions } from 'smtp-server';
import { generateVAPIDKeys } from 'web-push';
import type { ChannelType } from '../../src/notifications/delivery/channels';
import type { OutgoingDelivery } from '../../src/notifications/delivery/channels/channel';
import { EmailChannel } from '../../src/notifications/delivery/channels/email.channel';
import { GuardedHttp } from '../../src/notifications/delivery/channels/guarded-http';
import { PushChannel } from '../../src/notifications/delivery/channels/push.channel';
import { SmtpTransport } from '../../src/notifications/delivery/channels/smtp.transport';
import { UrlChannel } from '../../src/notifications/delivery/channels/url.channel';
import { AddressGuard } from '../../src/outbound/address-guard';
import { systemClock } from '../../src/platform/clock';
import { AUTHORITY } from './certificates';
import { type OpenRig, outgoing, type Rig, type Situation, timeoutIn, trusting, URL_CONTEXT } from './channel-suite';
import { listenForMail, mailServer, smtpError } from './mail-server';
import { SubscribedBrowser, startPushService } from './push-service';
import { startReceiver } from './receiver';
import { type SocketServer, startSocketServer } from './socket-server';

/** How each channel gets into each situation. A channel without a line here does not compile. */
export const RIGS: Record<ChannelType, OpenRig> = { email: emailRig, url: urlRig, push: pushRig };

async function urlRig(situation: Situation): Promise<Rig> {
  const receiver = await startReceiver();
  if (situation === 'asks-for-later') receiver.responses.push(503);
  if (situation === 'refuses-permanently') receiver.responses.push(410);
  if (situation === 'cuts-the-connection') receiver.responses.push((response) => response.destroy());
  if (situation === 'never-answers') receiver.responses.push(() => undefined);
  if (situation === 'stops-halfway') receiver.responses.push((response) => void response.writeHead(200).write('o'));
  if (situation === 'refuses-the-connection') await receiver.close();
  const url = situation === 'cannot-be-found' ? 'http://does-not-exist.invalid' : receiver.url;
  const channel = new UrlChannel(new AddressGuard(['127.0.0.0/8']), URL_CONTEXT, timeoutIn(situation));
  const close = async () => {
    await channel.close();
    if (situation !== 'refuses-the-connection') await receiver.close();
  };
  return { channel, delivery: outgoing({ destination: `${url}/s3cret?token=s3cret` }), close };
}

const VAPID_PAIR = generateVAPIDKeys();

/** A channel that pushes to a service of this machine. */
export function pushChannelFor(timeoutMs: number, allowNetworks: readonly string[] = ['127.0.0.0/8']): PushChannel {
  const http = new GuardedHttp(
    new AddressGuard(allowNetworks),
    { clock: systemClock, tlsContexts: trusting([AUTHORITY]) },
    timeoutMs,
  );
  const vapidPair = async () => VAPID_PAIR;
  return new PushChannel(http, { publicUrl: 'https://s.example.org', vapidPair });
}

/** A delivery to a browser. */
export function pushTo(
  browser: SubscribedBrowser,
  fields: Partial<OutgoingDelivery> = {},
): OutgoingDelivery & { destination: string } {
  const { endpoint, keys } = browser.toJSON();
  return outgoing({ destination: endpoint, pushKeys: keys, ...fields });
}

async function pushRig(situation: Situation): Promise<Rig> {
  const service = await startPushService();
  if (situation === 'asks-for-later') service.answers.push(503);
  if (situation === 'refuses-permanently') service.answers.push(410);
  if (situation === 'cuts-the-connection') service.answers.push((response) => response.destroy());
  if (situation === 'never-answers') service.answers.push(() => undefined);
  if (situation === 'stops-halfway') service.answers.push((response) => void response.writeHead(200).write('o'));
  if (situation === 'refuses-the-connection') await service.close();
  const isLost = situation === 'cannot-be-found';
  const browser = isLost ? new SubscribedBrowser('https://does-not-exist.invalid/s3cret') : service.subscribe();
  const channel = pushChannelFor(timeoutIn(situation));
  const close = async () => {
    await channel.close();
    if (situation !== 'refuses-the-connection') await service.close();
  };
  return { channel, delivery: pushTo(browser), close };
}

async function emailRig(situation: Situation): Promise<Rig> {
  const { port, stop } = await startMailServerIn(situation);
  if (situation === 'refuses-the-connection') await stop();
  const host = situation === 'cannot-be-found' ? 'does-not-exist.invalid' : '127.0.0.1';
  const url = `smtp://mailuser:s3cret@${host}:${port}?requireTLS=false`;
  const options = { timeoutMs: timeoutIn(situation), trustAnyone: true };
  const transport = new SmtpTransport(url, 'Us <us@example.org>', options);
  const close = async () => {
    await transport.close();
    if (situation !== 'refuses-the-connection') await stop();
  };
  return {
    channel: new EmailChannel(transport, 'https://s.example.org'),
    delivery: outgoing({ destination: 'ward@example.org' }),
    close,
  };
}

async function startMailServerIn(situation: Situation): Promise<SocketServer> {
  if (situation === 'cuts-the-connection') return startSocketServer((socket) => socket.destroy());
  if (situation === 'never-answers') return startSocketServer(() => undefined);
  const server = mailServer(optionsIn(situation));
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port: await listenForMail(server), stop };
}

function optionsIn(situation: Situation): SMTPServerOptions {
  if (situation === 'asks-for-later') return { onRcptTo: (_address, _session, done) => done(smtpError(451)) };
  if (situation === 'refuses-permanently') return { onRcptTo: (_address, _session, done) => done(smtpError(550)) };
  if (situation === 'stops-halfway') return { onData: (stream) => void stream.resume() };
  return {};
}
