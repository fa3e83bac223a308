import type { SecretBox } from '../../platform/secret-box';
import { randomText } from '../../platform/secrets';

const LENGTH = 43;
const TOKEN = new RegExp(`^[0-9A-Za-z]{${LENGTH}}$`);

interface Linked {
  id: number;
  publicToken: string | null;
}

export function newPublicToken(): string {
  return randomText(LENGTH);
}

export function isPublicToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Can be decrypted for the same dashboard only. */
export function sealPublicToken(box: SecretBox, token: string, { id }: Pick<Linked, 'id'>): string {
  return box.seal(token, boundTo(id));
}

/** Null without a link, or after the platform's key was replaced: such a link is dead. */
export function openPublicToken(box: SecretBox, { id, publicToken }: Linked): string | null {
  if (publicToken === null) return null;
  try {
    return box.open(publicToken, boundTo(id));
  } catch {
    return null;
  }
}

function boundTo(id: number): string {
  return `public link of dashboard ${id}`;
}
