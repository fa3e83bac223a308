import { SecretBox } from '../../platform/secret-box';
import { HIDDEN, readRecord } from '../requests/webhook-request';

/** Encrypts values for their owner. A hidden value keeps the stored one. */
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

/** Throws if a value was sealed with another key or for another owner. */
export function openSecrets(box: SecretBox, stored: string | null, ownerId: number): Record<string, string> {
  const opened = Object.entries(readRecord(stored)).map(([name, sealed]) => [name, box.open(sealed, ownerOf(ownerId))]);
  return Object.fromEntries(opened);
}

/** Counts names and values. */
export function bytesOfSecrets(stored: string | null): number {
  const entries = Object.entries(readRecord(stored));
  return entries.reduce((total, [name, sealed]) => total + name.length + SecretBox.bytesIn(sealed), 0);
}

/** Keeps the names, with `…` for each value. */
export function hideSecrets(stored: string | null): Record<string, string> {
  return Object.fromEntries(Object.keys(readRecord(stored)).map((name) => [name, HIDDEN]));
}

function ownerOf(userId: number): string {
  return `notifications of ${userId}`;
}
