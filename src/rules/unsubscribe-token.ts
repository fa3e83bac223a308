import { createHmac, timingSafeEqual } from 'node:crypto';

/** The subject of an unsubscribe link: mails of this notification to this address. */
export interface Subscription {
  notificationId: number;
  destination: string;
}

/**
 * The token of such a link, `<id>.<signature>`. It needs no session and is not stored: its key is derived from the
 * notification's signing secret, and it is valid for this address only.
 */
export function unsubscribeToken(subscription: Subscription, signingSecret: string): string {
  return `${subscription.notificationId}.${signature(subscription, signingSecret).toString('base64url')}`;
}

/** The parts of a token, or null when it cannot be one. */
export function readUnsubscribeToken(token: string): { notificationId: number; signature: Buffer } | null {
  const [, id, text] = /^(\d{1,15})\.([\w-]{43})$/.exec(token) ?? [];
  return id && text ? { notificationId: Number(id), signature: Buffer.from(text, 'base64url') } : null;
}

/** Whether a signature was made with one of these secrets. */
export function isSignedBy(given: Buffer, subscription: Subscription, secrets: readonly string[]): boolean {
  return secrets.some((secret) => {
    const expected = signature(subscription, secret);
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
}

function signature({ notificationId, destination }: Subscription, signingSecret: string): Buffer {
  const key = createHmac('sha256', signingSecret).update('unsubscribe').digest();
  return createHmac('sha256', key).update(`${notificationId}\n${destination}`).digest();
}
