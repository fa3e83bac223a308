import type { Alert } from './alert';

/** One delivery of a digest. */
export interface DigestItem {
  /** The id of this delivery alone. */
  webhookId: string;
  /** The text, shortened like the value in the alert. */
  text: string;
  alert: Alert;
}

/** The deliveries of a digest: their number, and the first of them. */
export interface Digest {
  count: number;
  items: readonly DigestItem[];
}

/**
 * True if many deliveries of a notification in a minute are aggregated: the owner's setting, otherwise true for mails
 * only.
 */
export function isDigested({ digest, type }: { digest: boolean | number | null; type: string }): boolean {
  return digest === null ? type === 'email' : Boolean(digest);
}
