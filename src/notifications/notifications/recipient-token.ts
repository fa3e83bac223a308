import { createHmac, timingSafeEqual } from 'node:crypto';

/** The recipient: mails of one user to one address. */
export interface TokenOwner {
  id: number;
  address: string;
  /** Known to the platform only. */
  secret: string;
}

/**
 * The token of the links in mails to an address, `a<id>.<signature>`. Its holder can read the mails of that address. It
 * needs no session, is valid for this address and user only, and does not expire.
 */
export function recipientToken(recipient: TokenOwner): string {
  return `a${recipient.id}.${signature(recipient).toString('base64url')}`;
}

/** The parts of a token, or null when it cannot be one. */
export function readRecipientToken(token: string): { id: number; signature: Buffer } | null {
  const [, id, text] = /^a(\d{1,15})\.([\w-]{43})$/.exec(token) ?? [];
  return id && text ? { id: Number(id), signature: Buffer.from(text, 'base64url') } : null;
}

/** True if the signature of a token belongs to this recipient. */
export function isTokenOf(given: Buffer, recipient: TokenOwner): boolean {
  const expected = signature(recipient);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** The parts of a token that acknowledges a firing: of the recipient of a mail, or of a notification. */
export interface AcknowledgeToken {
  id: number;
  firingId: number;
  signature: Buffer;
}

/** The token of the link in a mail about a firing, `k<id>-<firing>.<signature>`. It has no other use. */
export function acknowledgeToken(recipient: TokenOwner, firingId: number): string {
  return `k${recipient.id}-${firingId}.${acknowledgement(recipient, firingId).toString('base64url')}`;
}

/** The parts of such a token, or null when it cannot be one. */
export function readAcknowledgeToken(token: string): AcknowledgeToken | null {
  return readLink(/^k(\d{1,15})-(\d{1,15})\.([\w-]{43})$/, token);
}

/** Whether a token was made for this recipient. */
export function isAcknowledgementOf({ firingId, signature: given }: AcknowledgeToken, recipient: TokenOwner): boolean {
  const expected = acknowledgement(recipient, firingId);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** Signs with a key that receivers do not have, unlike the signing secret of their notification. */
export type Sign = (text: string) => Buffer;

/** The link of a delivery: its firing, and the notification that it was sent to. */
export interface NotificationLink {
  id: number;
  firingId: number;
}

/** The token of the link in a delivery of a firing, `n<id>-<firing>.<signature>`. It only acknowledges this firing. */
export function notificationToken(link: NotificationLink, sign: Sign): string {
  return `n${link.id}-${link.firingId}.${sign(textOf(link)).toString('base64url')}`;
}

/** The parts of such a token, or null when it cannot be one. */
export function readNotificationToken(token: string): AcknowledgeToken | null {
  return readLink(/^n(\d{1,15})-(\d{1,15})\.([\w-]{43})$/, token);
}

/** Whether the platform made a token for this notification and firing. */
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
