import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { parseUrl } from '../../platform/parse-url';
import type { SecretBox } from '../../platform/secret-box';

/** The keys with which payloads are encrypted for one browser (RFC 8291), in base64url. */
export interface PushKeys {
  /** The browser's public key on P-256, uncompressed. */
  p256dh: string;
  /** The browser's authentication secret. */
  auth: string;
}

/** The owner of a subscription: its keys are encrypted for this user and this endpoint. */
export interface PushOwner {
  ownerId: number;
  endpoint: string;
}

const POINT_BYTES = 65;
const COORDINATE_BYTES = 32;
const UNCOMPRESSED = 0x04;
const AUTH_BYTES = 16;
const BASE64 = /^[\w+/-]+={0,2}$/;
/** Separates the keys where they are encrypted; base64url has no dot. */
const SEPARATOR = '.';

/** Why a text is no public key of a browser, or null if it is one. */
export function p256dhProblem(text: string): string | null {
  const bytes = decode(text);
  const isPoint = bytes?.length === POINT_BYTES && bytes[0] === UNCOMPRESSED && isOnCurve(bytes);
  return isPoint ? null : 'must be a public key on P-256, 65 bytes in base64url';
}

/** Why a text is no authentication secret of a browser, or null if it is one. */
export function authProblem(text: string): string | null {
  return decode(text)?.length === AUTH_BYTES ? null : 'must be 16 bytes in base64url';
}

/** Encrypts the keys of a subscription. They must have been checked. */
export function sealPushKeys(box: SecretBox, { p256dh, auth }: PushKeys, owner: PushOwner): string {
  return box.seal([p256dh, auth].map(toBase64Url).join(SEPARATOR), boxOwner(owner));
}

/** Decrypts the keys of a subscription. Throws if they belong to another owner, or SECRETS_KEY was replaced. */
export function openPushKeys(box: SecretBox, sealed: string, owner: PushOwner): PushKeys {
  const [p256dh = '', auth = ''] = box.open(sealed, boxOwner(owner)).split(SEPARATOR);
  return { p256dh, auth };
}

/**
 * The destination as a credential may see it. Who knows the endpoint of a browser could send there, so only the origin
 * is shown to credentials that may not see secrets.
 */
export function shownDestination(
  { type, destination }: { type: string; destination: string },
  { withSecret }: { withSecret: boolean },
): string {
  return type !== 'push' || withSecret ? destination : (parseUrl(destination)?.origin ?? '');
}

function boxOwner({ ownerId, endpoint }: PushOwner): string {
  return `push ${ownerId} ${endpoint}`;
}

function decode(text: string): Buffer | undefined {
  return BASE64.test(text) ? Buffer.from(text, 'base64url') : undefined;
}

function toBase64Url(text: string): string {
  return Buffer.from(text, 'base64url').toString('base64url');
}

/** Encryption for a point outside of the curve would fail at every attempt. */
function isOnCurve(point: Buffer): boolean {
  const x = point.subarray(1, 1 + COORDINATE_BYTES).toString('base64url');
  const y = point.subarray(1 + COORDINATE_BYTES).toString('base64url');
  const key: JsonWebKey = { kty: 'EC', crv: 'P-256', x, y };
  try {
    createPublicKey({ key, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
}
