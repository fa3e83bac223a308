import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UrlChannel } from '../../src/notifications/delivery/channels/url.channel';
import { findRequestProblem } from '../../src/notifications/requests/webhook-request';
import { AddressGuard } from '../../src/outbound/address-guard';
import { readConfig } from '../../src/platform/config';
import { AUTHORITY, SERVER } from '../support/certificates';
import { outgoing, trusting, URL_CONTEXT } from '../support/channel-suite';
import { startSocketServer } from '../support/socket-server';

const UNTRUSTED =
  'tls: UNABLE_TO_VERIFY_LEAF_SIGNATURE (its certificate is by an authority that is not trusted: give the certificate of the authority as ca_certificate, or the operator in DELIVERY_CA_FILE; or the server does not send its intermediate certificates)';

describe('webhooks over TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'authorities-'));
  let server: Server;
  let port = 0;
  let requests = 0;

  before(async () => {
    server = createServer(SERVER, (_request, response) => {
      requests += 1;
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    port = (server.address() as AddressInfo).port;
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  beforeEach(() => {
    requests = 0;
  });

  const written = (name: string, text: string) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const configWith = (file: string) =>
    readConfig({ MYSQL_URL: 'mysql://root@localhost/sensors', REDIS_URL: 'redis://localhost', DELIVERY_CA_FILE: file });
  const send = async (destination: string, authorities: readonly string[] = []) => {
    const channel = new UrlChannel(
      new AddressGuard(['127.0.0.0/8']),
      { ...URL_CONTEXT, tlsContexts: trusting(authorities) },
      5_000,
    );
    const { exchange: _, ...outcome } = await channel.send(outgoing({ destination })).finally(() => channel.close());
    return outcome;
  };

  it('are refused by a certificate that nobody knows, and delivered with its authority in DELIVERY_CA_FILE', async () => {
    const { deliveryAuthorities } = configWith(written('authority.pem', `# ours\n${AUTHORITY}`));
    for (const host of ['localhost', '127.0.0.1']) {
      const url = `https://${host}:${port}/`;
      assert.deepEqual(await send(url), { kind: 'retry-later', reason: UNTRUSTED });
      assert.equal(requests, 0);
      assert.equal((await send(url, deliveryAuthorities)).kind, 'delivered');
      requests = 0;
    }
  });

  it('are delivered with the authority of their notification, to this receiver only', async () => {
    const channel = new UrlChannel(new AddressGuard(['127.0.0.0/8']), URL_CONTEXT, 5_000);
    const none = { method: 'POST', headers: {}, secrets: {}, contentType: null, body: null } as const;
    const kindWith = async (caCertificate: string | null) => {
      const delivery = outgoing({
        destination: `https://127.0.0.1:${port}/`,
        request: { ...none, caCertificate, success: null },
      });
      return (await channel.send(delivery)).kind;
    };
    try {
      const kinds = [await kindWith(null), await kindWith(AUTHORITY), await kindWith(null)];
      assert.deepEqual(kinds, ['retry-later', 'delivered', 'retry-later']);
      const fields = { destinationResolved: null, destinationAcknowledged: null, contentType: null, body: null };
      const input = { ...fields, destination: 'https://a.example.org', bodyResolved: null, bodyAcknowledged: null };
      assert.equal(findRequestProblem({ ...input, caCertificate: AUTHORITY, success: null }), undefined);
    } finally {
      await channel.close();
    }
  });

  it('are refused by a certificate of that authority for another host', async () => {
    const { deliveryAuthorities } = configWith(written('authority.pem', AUTHORITY));
    const outcome = await send(`https://127.0.0.2:${port}/`, deliveryAuthorities);
    assert.deepEqual(outcome, {
      kind: 'retry-later',
      reason:
        'tls: ERR_TLS_CERT_ALTNAME_INVALID (its certificate is for other names: use one of these, or give it a certificate for this name)',
    });
    assert.equal(requests, 0);
  });

  it('say that the port takes https only, where the URL says http', async () => {
    const reason = 'the port takes https only, and the URL says http';
    assert.deepEqual(await send(`http://127.0.0.1:${port}/`), { kind: 'retry-later', reason });
    assert.equal(requests, 0);
  });

  it('say that the connection was cut where the port takes neither', async () => {
    const cutting = await startSocketServer((socket) => socket.destroy());
    const mute = await startSocketServer((socket) =>
      socket.once('data', (data) => data[0] !== 0x16 && socket.destroy()),
    );
    try {
      for (const at of [cutting.port, mute.port]) {
        const outcome = await send(`http://127.0.0.1:${at}/`);
        assert.deepEqual(outcome, { kind: 'retry-later', reason: 'connection cut' });
      }
    } finally {
      await cutting.stop();
      await mute.stop();
    }
  });

  it('refuse the start with the name of a file that is not right', () => {
    const files: [string, RegExp][] = [
      [join(folder, 'none.pem'), /DELIVERY_CA_FILE: .*none\.pem cannot be read \(ENOENT\)/],
      [written('empty.pem', 'no certificate'), /DELIVERY_CA_FILE: .*empty\.pem holds no certificate in PEM/],
      [written('both.pem', AUTHORITY + SERVER.key), /DELIVERY_CA_FILE: .*both\.pem holds a private key/],
      [
        written('cut.pem', `${AUTHORITY}${SERVER.cert.replace(/M\w{40}/, '')}`),
        /DELIVERY_CA_FILE: certificate 2 in .*cut\.pem cannot be read/,
      ],
    ];
    for (const [file, message] of files) assert.throws(() => configWith(file), message);
    assert.deepEqual(configWith('').deliveryAuthorities, []);
  });
});
