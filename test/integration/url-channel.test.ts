import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { UrlChannel } from '../../src/notifications/delivery/channels/url.channel';
import { nextAttempt } from '../../src/notifications/delivery/delivery-schedule';
import { AddressGuard } from '../../src/outbound/address-guard';
import { attemptsOf, outgoing, SIGNING_SECRET, URL_CONTEXT } from '../support/channel-suite';
import { type Receiver, type ReceiverResponse, startReceiver } from '../support/receiver';
import { until } from '../support/until';

const DAY_MS = 86_400_000;

describe('the url channel', () => {
  let receiver: Receiver;
  let channel: UrlChannel;

  before(async () => {
    receiver = await startReceiver();
    channel = new UrlChannel(new AddressGuard(['127.0.0.0/8']), URL_CONTEXT, 2_000);
  });
  after(async () => {
    await channel.close();
    await receiver.close();
  });
  beforeEach(() => {
    receiver.received.length = 0;
    receiver.responses.length = 0;
  });

  const post = (answer: ReceiverResponse, destination = `${receiver.url}/hook?a=1`) => {
    receiver.responses.push(answer);
    return channel.send(outgoing({ destination }));
  };
  const withHeaders = (status: number, headers: Record<string, string>) => (response: ServerResponse) =>
    void response.writeHead(status, headers).end();

  /** A status, the outcome that the channel reports, and the number of attempts when every response is the same. */
  const statuses: [number, string, number][] = [
    [200, 'delivered', 1],
    [201, 'delivered', 1],
    [204, 'delivered', 1],
    [301, 'retry-later', 10],
    [307, 'retry-later', 10],
    [400, 'retry-later', 3],
    [401, 'retry-later', 3],
    [404, 'retry-later', 3],
    [408, 'retry-later', 10],
    [410, 'refused', 1],
    [425, 'retry-later', 10],
    [429, 'retry-later', 10],
    [500, 'retry-later', 10],
    [503, 'retry-later', 10],
  ];
  for (const [status, kind, attempts] of statuses) {
    it(`reports ${status} as ${kind}, worth ${attempts} attempts, and follows no redirect`, async () => {
      const outcome = await post(withHeaders(status, { location: `${receiver.url}/elsewhere` }));
      assert.deepEqual([outcome.kind, outcome.statusCode], [kind, status]);
      assert.equal(attemptsOf(outcome), attempts);
      assert.deepEqual(
        receiver.received.map(({ path }) => path),
        ['/hook?a=1'],
      );
    });
  }

  const inAnHour = () => new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_600_000).toUTCString();
  const waits: [number, () => string, number][] = [
    [429, () => '120', 120_000],
    [503, () => '120', 120_000],
    [429, inAnHour, 3_600_000],
    [503, inAnHour, 3_600_000],
    [503, () => '999999999', DAY_MS],
    [503, () => new Date(Date.now() + 400 * DAY_MS).toUTCString(), DAY_MS],
    [503, () => '0', 5_000],
    [503, () => new Date(0).toUTCString(), 5_000],
    [503, () => 'soon', 5_000],
  ];
  for (const [status, retryAfter, waitMs] of waits) {
    it(`waits ${waitMs / 1000} s after ${status} with Retry-After: ${retryAfter()}`, async () => {
      const outcome = await post(withHeaders(status, { 'retry-after': retryAfter() }));
      const next = nextAttempt(outcome, 1, 0, () => 0);
      assert.ok(next.status === 'pending');
      assert.ok(Math.abs(next.nextAttemptMs - waitMs) < Math.max(5_000, waitMs / 60), `${next.nextAttemptMs} ms`); // dates pass meanwhile
    });
  }

  it('reports a response that is cut off as a failure, and opens a new connection for the next one', async () => {
    const cut = await post((response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setImmediate(() => response.destroy());
    });
    const exchange = { sent: 'sensor_id=1&trigger_id=2&text=hot', received: 'half' };
    assert.deepEqual(cut, { kind: 'retry-later', reason: 'connection cut', exchange });
    assert.equal((await post(200)).kind, 'delivered');
  });

  it('cuts off a response that never ends', async () => {
    let written = 0;
    let ended = false;
    const outcome = await post((response) => {
      response.on('close', () => {
        ended = true;
      });
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384))) written += 16_384;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    assert.equal(outcome.kind, 'delivered');
    await until('the response is cut off', () => ended);
    assert.ok(written < 16 * 1024 * 1024, `${written} bytes left the receiver before it was cut off`);
  });

  it('reports a failure when the response is not HTTP or has too large headers', async () => {
    const garbage = await post((response) => response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n'));
    assert.equal(garbage.kind, 'retry-later');
    const headers = await post(withHeaders(200, { 'x-long': 'x'.repeat(1_000_000) }));
    assert.equal(headers.kind, 'retry-later');
  });

  it('refuses an invalid URL, another scheme and credentials, without repeating the URL', async () => {
    const refused: Record<string, string> = {
      'http://user:s3cret@127.0.0.1/': 'the URL holds credentials',
      'http://:s3cret@127.0.0.1/': 'the URL holds credentials',
      'ftp://127.0.0.1/s3cret': 'the URL is not valid',
      'http://[fe80::1%25eth0]/s3cret': 'the URL is not valid',
      'no URL, s3cret': 'the URL is not valid',
    };
    for (const [destination, reason] of Object.entries(refused)) {
      assert.deepEqual(await channel.send(outgoing({ destination })), { kind: 'refused', reason });
    }
  });

  it('signs with every secret, so that the webhook libraries accept each of them and no other', async () => {
    const older = `whsec_${Buffer.from('another secret, 24 bytes').toString('base64')}`;
    await channel.send(outgoing({ destination: receiver.url, signingSecrets: [SIGNING_SECRET, older] }));
    const { headers, rawBody } = receiver.received[0] ?? assert.fail('no request arrived');
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
    assert.equal(signed['webhook-id'], 'msg_0123456789abcdef');
    assert.equal(signed['webhook-signature']?.split(' ').length, 2);
    for (const secret of [SIGNING_SECRET, older]) {
      for (const Library of [StandardWebhook, SvixWebhook]) {
        assert.ok(isAccepted(() => new Library(secret).verify(rawBody, signed)));
        assert.ok(!isAccepted(() => new Library(secret).verify(`${rawBody}1`, signed)));
      }
      const content = `${signed['webhook-id']}.${signed['webhook-timestamp']}.${rawBody}`;
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
      const signature = `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
      assert.ok(signed['webhook-signature']?.split(' ').includes(signature));
    }
    const stranger = `whsec_${Buffer.from('not one of the two, no..').toString('base64')}`;
    assert.ok(!isAccepted(() => new StandardWebhook(stranger).verify(rawBody, signed)));
  });
});

describe('the url channel without allowed private networks', () => {
  const channel = new UrlChannel(new AddressGuard([]), URL_CONTEXT, 2_000);
  after(() => channel.close());

  const hosts = [
    '127.0.0.1',
    'localhost',
    '[::1]',
    '[::]',
    '0.0.0.0',
    '0',
    '0x7f.1',
    '0177.0.0.1',
    '2130706433',
    '127.1',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b:1::1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fc00::1]',
    '[fec0::1]',
    '[ff02::1]',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '１２７.0.0.1',
  ];
  for (const host of hosts) {
    it(`refuses http://${host}/`, async () => {
      const outcome = await channel.send(outgoing({ destination: `http://${host}:1/s3cret` }));
      assert.deepEqual(outcome, {
        kind: 'refused',
        reason: 'the address is not public (an operator can allow it: DELIVERY_ALLOW_NETWORKS)',
      });
    });
  }
});

/** The libraries parse the body as JSON once the signature is valid; a form fails there, with a SyntaxError. */
function isAccepted(verify: () => unknown): boolean {
  try {
    verify();
    return true;
  } catch (error) {
    return error instanceof SyntaxError;
  }
}
