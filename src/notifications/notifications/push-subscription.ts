import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { parseUrl } from '../../platform/parse-url';
import type { SecretBox } from '../../platform/secret-box';

/** Encrypt payloads for one browser (RFC 8291). Both are base64url. */
export interface PushKeys {
  /** A point on P-256, uncompressed. */
  p256dh: string;
  auth: string;
}

/** Keys are encrypted for this user and this endpoint. */
export interface PushOwner {
  ownerId: number;
  endpoint: string;
}

const POINT_BYTES = 65;
const COORDINATE_BYTES = 32;
const UNCOMPRESSED = 0x04;
const AUTH_BYTES = 16;
const BASE64 = /^[\w+/-]+={0,2}$/;
/** base64url has no dot. */
const SEPARATOR = '.';

/** Null for a public key of a browser. */
export function p256dhProblem(text: string): string | null {
  const bytes = decode(text);
  const isPoint = bytes?.length === POINT_BYTES && bytes[0] === UNCOMPRESSED && isOnCurve(bytes);
  return isPoint ? null : 'must be a public key on P-256, 65 bytes in base64url';
}

/** Null for an authentication secret of a browser. */
export function authProblem(text: string): string | null {
  return decode(text)?.length === AUTH_BYTES ? null : 'must be 16 bytes in base64url';
}

/** Requires checked keys. */
export function sealPushKeys(box: SecretBox, { p256dh, auth }: PushKeys, owner: PushOwner): string {
  return box.seal([p256dh, auth].map(toBase64Url).join(SEPARATOR), boxOwner(owner));
}

/** Throws if the keys belong to another owner, or SECRETS_KEY was replaced. */
export function openPushKeys(box: SecretBox, sealed: string, owner: PushOwner): PushKeys {
  const [p256dh = '', auth = ''] = box.open(sealed, boxOwner(owner)).split(SEPARATOR);
  return { p256dh, auth };
}

/** Anyone who knows a browser's endpoint could send there, so without `withSecret` only its origin is shown. */
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
