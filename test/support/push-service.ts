import assert from 'node:assert/strict';
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  type JsonWebKey,
  randomBytes,
  verify,
} from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { SERVER } from './certificates';

const SALT_BYTES = 16;
const RECORD_SIZE_BYTES = 4;
const TAG_BYTES = 16;
const DAY_SECONDS = 86_400;
/** What a push service takes at least (RFC 8030, 7.2). */
const MOST_BYTES = 4_096;

/** A message as the browser reads it, with what the push service was asked. */
export interface Pushed {
  path: string;
  message: Record<string, unknown>;
  headers: IncomingHttpHeaders;
  /** What the signed token says. */
  token: { aud: string; exp: number; sub: string };
  /** The key that signed the request, in base64url. */
  publicKey: string;
}

/** The response to a message: a status, with headers if they are given, or anything with the response. */
export type PushAnswer =
  | number
  | [status: number, headers: Record<string, string>]
  | ((response: ServerResponse) => void);

/** A browser that has subscribed: its private key never leaves it. */
export class SubscribedBrowser {
  private readonly key: ECDH = createECDH('prime256v1');
  private readonly auth = randomBytes(16);

  constructor(readonly endpoint: string) {
    this.key.generateKeys();
  }

  /** As `PushSubscription.toJSON()` describes it. */
  toJSON() {
    const keys = { p256dh: this.key.getPublicKey('base64url'), auth: this.auth.toString('base64url') };
    return { endpoint: this.endpoint, expirationTime: null, keys };
  }

  /** Decrypts a body of the encoding aes128gcm (RFC 8188) that was encrypted for this browser (RFC 8291, 3.4). */
  decrypt(body: Buffer): string {
    const salt = body.subarray(0, SALT_BYTES);
    const recordSize = body.readUInt32BE(SALT_BYTES);
    const idLength = body.readUInt8(SALT_BYTES + RECORD_SIZE_BYTES);
    const start = SALT_BYTES + RECORD_SIZE_BYTES + 1;
    const sender = body.subarray(start, start + idLength);
    const record = body.subarray(start + idLength);
    assert.equal(idLength, 65, 'the id of the key is the public key of the sender');
    assert.ok(record.length <= recordSize, 'there is one record');
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.key.getPublicKey(), sender]);
    const input = derive(this.key.computeSecret(sender), this.auth, info, 32);
    const contentKey = derive(input, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
    const nonce = derive(input, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
    const decipher = createDecipheriv('aes-128-gcm', contentKey, nonce);
    decipher.setAuthTag(record.subarray(-TAG_BYTES));
    const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG_BYTES)), decipher.final()]);
    const end = padded.lastIndexOf(2);
    assert.ok(end >= 0 && padded.subarray(end + 1).every((byte) => byte === 0), 'the last record ends with a 2');
    return padded.subarray(0, end).toString('utf8');
  }
}

function derive(input: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', input, salt, info, length));
}

export interface PushService {
  url: string;
  pushed: Pushed[];
  /** Why requests were not those of RFC 8030, 8188, 8291 and 8292. */
  problems: string[];
  /** The responses to the next messages; afterwards 201. */
  answers: PushAnswer[];
  /** A browser that subscribes now. */
  subscribe(): SubscribedBrowser;
  close(): Promise<void>;
}

/**
 * A push service on this machine (RFC 8030), with a certificate of the authority of the tests. It checks the signature of
 * each request (RFC 8292) and decrypts the message for its browser (RFC 8291), without the library that made them.
 */
export async function startPushService(options: ServerOptions = SERVER): Promise<PushService> {
  const [pushed, problems, answers] = [[] as Pushed[], [] as string[], [] as PushAnswer[]];
  const browsers = new Map<string, SubscribedBrowser>();
  const server = createServer(options, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      try {
        const browser = browsers.get(request.url ?? '') ?? assert.fail('nobody has subscribed here');
        pushed.push(read(request.method, request.headers, Buffer.concat(chunks), browser));
      } catch (error) {
        problems.push(String(error));
        return void response.writeHead(400).end();
      }
      answer(response, answers.shift() ?? 201);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://localhost:${(server.address() as AddressInfo).port}`; // a TCP server's address is an AddressInfo
  return {
    ...{ url, pushed, problems, answers },
    subscribe: () => {
      const path = `/send/s3cret-${randomBytes(8).toString('hex')}`;
      const browser = new SubscribedBrowser(`${url}${path}`);
      browsers.set(path, browser);
      return browser;
    },
    close: async () => {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}

function answer(response: ServerResponse, given: PushAnswer): void {
  if (typeof given === 'function') given(response);
  else if (typeof given === 'number') response.writeHead(given).end();
  else response.writeHead(...given).end();
}

function read(
  method: string | undefined,
  headers: IncomingHttpHeaders,
  body: Buffer,
  browser: SubscribedBrowser,
): Pushed {
  assert.equal(method, 'POST');
  assert.equal(headers['content-encoding'], 'aes128gcm');
  assert.match(String(headers.ttl), /^\d+$/);
  assert.match(String(headers.urgency), /^(?:very-low|low|normal|high)$/);
  if (headers.topic !== undefined) assert.match(String(headers.topic), /^[\w-]{1,32}$/);
  assert.ok(body.length <= MOST_BYTES, `${body.length} bytes`);
  const { token, publicKey } = readAuthorization(headers.authorization ?? '', new URL(browser.endpoint).origin);
  const message = JSON.parse(browser.decrypt(body));
  return { path: new URL(browser.endpoint).pathname, message, headers, token, publicKey };
}

/** Checks `vapid t=<token>, k=<public key>` (RFC 8292, 2 and 3). */
function readAuthorization(header: string, audience: string): Pick<Pushed, 'token' | 'publicKey'> {
  const [, text = '', publicKey = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(header) ?? assert.fail(header);
  const [head = '', payload = '', signature = ''] = text.split('.');
  assert.equal(decodeJson(head).alg, 'ES256');
  const point = Buffer.from(publicKey, 'base64url');
  assert.deepEqual([point.length, point[0]], [65, 4]);
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  const key: JsonWebKey = { kty: 'EC', crv: 'P-256', x, y };
  const signed = { key: createPublicKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
  assert.ok(
    verify('sha256', Buffer.from(`${head}.${payload}`), signed, Buffer.from(signature, 'base64url')),
    'the signature is right',
  );
  const { aud, exp, sub } = decodeJson(payload);
  const seconds = Number(exp) - Date.now() / 1000;
  assert.equal(aud, audience);
  assert.ok(seconds > 0 && seconds <= DAY_SECONDS, `it expires in ${seconds} s`);
  assert.match(String(sub), /^(?:mailto:|https:\/\/)/);
  return { token: { aud: String(aud), exp: Number(exp), sub: String(sub) }, publicKey };
}

function decodeJson(text: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
}
