import { createHmac, timingSafeEqual } from 'node:crypto';

/** The recipient of one user's mails to one address. */
export interface TokenOwner {
  id: number;
  address: string;
  /** Only the platform knows the secret. */
  secret: string;
}

/**
 * The token `a<id>.<signature>` proves that its holder reads the mails of the address. Valid for this address and user
 * only; does not expire.
 */
export function recipientToken(recipient: TokenOwner): string {
  return `a${recipient.id}.${signature(recipient).toString('base64url')}`;
}

/** Null if the text cannot be a token. */
export function readRecipientToken(token: string): { id: number; signature: Buffer } | null {
  const [, id, text] = /^a(\d{1,15})\.([\w-]{43})$/.exec(token) ?? [];
  return id && text ? { id: Number(id), signature: Buffer.from(text, 'base64url') } : null;
}

export function isTokenOf(given: Buffer, recipient: TokenOwner): boolean {
  const expected = signature(recipient);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

export interface AcknowledgeToken {
  id: number;
  firingId: number;
  signature: Buffer;
}

/** The token `k<id>-<firing>.<signature>` only acknowledges the firing. */
export function acknowledgeToken(recipient: TokenOwner, firingId: number): string {
  return `k${recipient.id}-${firingId}.${acknowledgement(recipient, firingId).toString('base64url')}`;
}

/** Null if the text cannot be a token. */
export function readAcknowledgeToken(token: string): AcknowledgeToken | null {
  return readLink(/^k(\d{1,15})-(\d{1,15})\.([\w-]{43})$/, token);
}

export function isAcknowledgementOf({ firingId, signature: given }: AcknowledgeToken, recipient: TokenOwner): boolean {
  const expected = acknowledgement(recipient, firingId);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** Signs with a key that receivers do not have, unlike the signing secret of their notification. */
export type Sign = (text: string) => Buffer;

export interface NotificationLink {
  id: number;
  firingId: number;
}

/** The token `n<id>-<firing>.<signature>` only acknowledges the firing. */
export function notificationToken(link: NotificationLink, sign: Sign): string {
  return `n${link.id}-${link.firingId}.${sign(textOf(link)).toString('base64url')}`;
}

/** Null if the text cannot be a token. */
export function readNotificationToken(token: string): AcknowledgeToken | null {
  return readLink(/^n(\d{1,15})-(\d{1,15})\.([\w-]{43})$/, token);
}

export function isOfNotification({ signature: given, ...link }: AcknowledgeToken, sign: Sign): boolean {
  const expected = sign(textOf(link));
  return expected.length === given.length && timingSafeEqual(expected, given);
}

function textOf({ id, firingId }: NotificationLink): string {
  return `acknowledge by notification\n${id}\n${firingId}`;
}

function readLink(form: RegExp, token: string): AcknowledgeToken | null {
  const [, id, firingId, text] = form.exec(token) ?? [];
  if (!id || !firingId || !text) return null;
  return { id: Number(id), firingId: Number(firingId), signature: Buffer.from(text, 'base64url') };
}

function acknowledgement({ id, address, secret }: TokenOwner, firingId: number): Buffer {
  return createHmac('sha256', secret).update(`acknowledge\n${id}\n${address}\n${firingId}`).digest();
}

function signature({ id, address, secret }: TokenOwner): Buffer {
  return createHmac('sha256', secret).update(`recipient\n${id}\n${address}`).digest();
}
