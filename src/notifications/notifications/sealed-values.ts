import { SecretBox } from '../../platform/secret-box';
import { HIDDEN, readRecord } from '../requests/webhook-request';

/** Encrypts the values of a record for their owner. A hidden value keeps the one that is stored under its name. */
export function sealSecrets(
  box: SecretBox,
  values: Readonly<Record<string, string>>,
  ownerId: number,
  stored: string | null,
): string | null {
  const before = readRecord(stored);
  const sealed = Object.entries(values).map(([name, value]) => {
    const kept = value === HIDDEN ? before[name] : undefined;
    return [name, kept ?? box.seal(value, ownerOf(ownerId))];
  });
  return sealed.length === 0 ? null : JSON.stringify(Object.fromEntries(sealed));
}

/** Decrypts a record of `sealSecrets`. Throws if a value was sealed with another key or for another owner. */
export function openSecrets(box: SecretBox, stored: string | null, ownerId: number): Record<string, string> {
  const opened = Object.entries(readRecord(stored)).map(([name, sealed]) => [name, box.open(sealed, ownerOf(ownerId))]);
  return Object.fromEntries(opened);
}

/** Number of bytes of the names and values of a record of `sealSecrets`. */
export function bytesOfSecrets(stored: string | null): number {
  const entries = Object.entries(readRecord(stored));
  return entries.reduce((total, [name, sealed]) => total + name.length + SecretBox.bytesIn(sealed), 0);
}

/** The names of a record of `sealSecrets`, with `…` in the place of each value. */
export function hideSecrets(stored: string | null): Record<string, string> {
  return Object.fromEntries(Object.keys(readRecord(stored)).map((name) => [name, HIDDEN]));
}

function ownerOf(userId: number): string {
  return `notifications of ${userId}`;
}
