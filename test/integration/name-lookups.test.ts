import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UrlChannel } from '../../src/notifications/delivery/channels/url.channel';
import { AddressGuard } from '../../src/outbound/address-guard';
import { HostNames } from '../../src/outbound/host-names';
import { outgoing, URL_CONTEXT } from '../support/channel-suite';
import { type DnsAnswers, startDnsServer } from '../support/dns-server';
import { type Receiver, startReceiver } from '../support/receiver';
import { timed } from '../support/stopwatch';
import { until } from '../support/until';

const LOOPBACK_6 = '0:0:0:0:0:0:0:1';
const REFUSED = {
  kind: 'refused',
  reason: 'the address is not public (an operator can allow it: DELIVERY_ALLOW_NETWORKS)',
};
const NOT_FOUND = { kind: 'retry-later', reason: 'host not found' };

describe('the lookup of the hosts that deliveries go to', () => {
  let receiver: Receiver;
  let server: Awaited<ReturnType<typeof startDnsServer>>;
  let answers: DnsAnswers;
  let channel: UrlChannel;
  let folder: string;
  let hostsFile: string;

  before(async () => {
    receiver = await startReceiver();
    server = await startDnsServer((name, family) => answers(name, family));
    folder = await mkdtemp(join(tmpdir(), 'hosts-'));
    hostsFile = join(folder, 'hosts');
  });
  after(async () => {
    await receiver.close();
    await server.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    receiver.received.length = 0;
    server.asked.length = 0;
    answers = () => [];
    await writeFile(hostsFile, '127.0.0.1 localhost\n');
    const names = new HostNames({ servers: [server.address], hostsFile });
    channel = new UrlChannel(new AddressGuard(['127.0.0.0/8'], names), URL_CONTEXT);
  });
  afterEach(() => channel.close());

  const port = () => new URL(receiver.url).port;
  const send = async (host: string) => {
    const { exchange: _, ...outcome } = await channel.send(outgoing({ destination: `http://${host}:${port()}/` }));
    return outcome;
  };

  it('does not delay other hosts while name servers do not answer', async () => {
    answers = (name) => (name.endsWith('tarpit.example') ? undefined : ['127.0.0.1']);
    let waiting = 50;
    const tarpits = Array.from({ length: waiting }, async (_, index) => {
      const outcome = await send(`x${index}.tarpit.example`);
      waiting -= 1;
      return outcome;
    });
    await until('each name was looked up', () => new Set(server.asked).size === 50);
    const ms = await timed(async () => {
      for (const host of ['good.example', 'localhost', '127.0.0.1']) assert.equal((await send(host)).kind, 'delivered');
    });
    assert.ok(ms < 1_500, `${ms} ms, with ${waiting} that wait`); // which they do for longer
    assert.deepEqual(await Promise.all(tarpits), Array(50).fill(NOT_FOUND));
  }).retries(2);

  it('succeeds when the name server answers for one address family only', async () => {
    answers = (_, family) => (family === 4 ? ['127.0.0.1'] : undefined);
    assert.equal((await send('half.example')).kind, 'delivered');
  });

  it('succeeds when three name servers answer for one address family only', async () => {
    answers = (_, family) => (family === 4 ? ['127.0.0.1'] : undefined);
    const others = [
      await startDnsServer((name, family) => answers(name, family)),
      await startDnsServer((name, family) => answers(name, family)),
    ];
    const servers = [server, ...others].map(({ address }) => address);
    const names = new HostNames({ servers, hostsFile });
    const withThree = new UrlChannel(new AddressGuard(['127.0.0.0/8'], names), URL_CONTEXT);
    try {
      const destination = `http://half.example:${port()}/`;
      assert.equal((await withThree.send(outgoing({ destination }))).kind, 'delivered');
      for (const { asked } of others) assert.ok(asked.length > 0);
    } finally {
      await withThree.close();
      for (const other of others) await other.close();
    }
  });

  it('refuses a host when any of its addresses is not allowed, of either family', async () => {
    const addresses: [string[], string[]][] = [
      [['127.0.0.1', '10.0.0.1'], []],
      [['127.0.0.1'], [LOOPBACK_6]],
      [[], [LOOPBACK_6]],
      [[], ['0:0:0:0:0:ffff:a00:1']],
    ];
    for (const [four, six] of addresses) {
      answers = (_, family) => (family === 4 ? four : six);
      assert.deepEqual(await send('mixed.example'), REFUSED, JSON.stringify([four, six]));
    }
    assert.equal(receiver.received.length, 0);
  });

  it('is repeated and checked again when the connection is made', async () => {
    answers = (_, family) => {
      if (family === 6) return [];
      return server.asked.length <= 2 ? ['127.0.0.1'] : ['10.0.0.1'];
    };
    assert.deepEqual(await send('rebinding.example'), REFUSED);
    assert.equal(server.asked.length, 4);
  });

  it('uses the hosts file without asking a name server, and checks the addresses there, too', async () => {
    await writeFile(
      hostsFile,
      '# 127.0.0.1 comment.example\n127.0.0.1\tother.example Receiver.example # x.example\n10.0.0.1 private.example\n',
    );
    assert.equal((await send('RECEIVER.example.')).kind, 'delivered');
    assert.deepEqual(await send('private.example'), REFUSED);
    assert.equal(server.asked.length, 0);
    for (const host of ['comment.example', 'x.example', 'example']) assert.deepEqual(await send(host), NOT_FOUND, host);
  });

  it('asks the name servers when there is no hosts file', async () => {
    await rm(hostsFile);
    answers = (_, family) => (family === 4 ? ['127.0.0.1'] : []);
    assert.equal((await send('good.example')).kind, 'delivered');
  });
});
