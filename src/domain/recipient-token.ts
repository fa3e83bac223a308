import { createHmac, timingSafeEqual } from 'node:crypto';

/** Mails of one user to one address, as they are stored. */
export interface TokenOwner {
  id: number;
  address: string;
  /** Known to the platform only. */
  secret: string;
}

/**
 * The token of the links in mails to an address, `a<id>.<signature>`: who has it reads the mails of that address. It needs
 * no session, is of no use for another address or user, and stays valid.
 */
export function recipientToken(recipient: TokenOwner): string {
  return `a${recipient.id}.${signature(recipient).toString('base64url')}`;
}

/** The parts of a token, or null when it cannot be one. */
export function readRecipientToken(token: string): { id: number; signature: Buffer } | null {
  const [, id, text] = /^a(\d{1,15})\.([\w-]{43})$/.exec(token) ?? [];
  return id && text ? { id: Number(id), signature: Buffer.from(text, 'base64url') } : null;
}

/** Whether the signature of a token is that of this recipient. */
export function isTokenOf(given: Buffer, recipient: TokenOwner): boolean {
  const expected = signature(recipient);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

function signature({ id, address, secret }: TokenOwner): Buffer {
  return createHmac('sha256', secret).update(`recipient\n${id}\n${address}`).digest();
}
