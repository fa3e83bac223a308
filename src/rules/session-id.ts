import { hash } from 'node:crypto';
import { type RandomInt, randomText } from './random-text';

const LENGTH = 27;

/** A fresh secret id of 27 letters and digits (160 bits); old clients keep it as they find it. */
export function newSessionId(random?: RandomInt): string {
  return randomText(LENGTH, random);
}

/** Whether a text can be a session id at all. */
export function isSessionId(text: string): boolean {
  return text.length === LENGTH && /^[0-9A-Za-z]+$/.test(text);
}

/** What is stored of a secret: reading the table does not give access to a session. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}
