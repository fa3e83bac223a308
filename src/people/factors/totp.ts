import { Secret, TOTP } from 'otpauth';

/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20;
/** Codes of the step before and after are accepted: clocks differ. */
const WINDOW = 1;

/** In base32, as people type it. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** What authenticator apps read from a QR code. */
export function totpUri(secret: string, account: { issuer: string; label: string }): string {
  return new TOTP({ secret, ...account }).toString();
}

/** The step of a code; null if it is wrong, or of another time. */
export function stepOfCode(secret: string, code: string, nowMs: number): number | null {
  const totp = new TOTP({ secret });
  const away = totp.validate({ token: code, timestamp: nowMs, window: WINDOW });
  return away === null ? null : totp.counter({ timestamp: nowMs }) + away;
}
