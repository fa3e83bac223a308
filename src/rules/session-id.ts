import { hash } from 'node:crypto';
import { type RandomInt, randomText } from './random-text';

const LENGTH = 27;

/** A fresh secret id of 27 letters and digits (160 bits). Old clients keep it unchanged. */
export function newSessionId(random?: RandomInt): string {
  return randomText(LENGTH, random);
}

/** True if a text has the form of a session id. */
export function isSessionId(text: string): boolean {
  return text.length === LENGTH && /^[0-9A-Za-z]+$/.test(text);
}

/** The hash of a secret that is stored: reading the table gives no access to a session. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}
