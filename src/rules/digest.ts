import type { Alert } from './alert';

/** One delivery of a digest. */
export interface DigestItem {
  /** Its own, which it had alone. */
  webhookId: string;
  /** Its beginning where it is long, as that of the value in the alert. */
  text: string;
  alert: Alert;
}

/** What a digest holds: how many deliveries, and the first of them. */
export interface Digest {
  count: number;
  items: readonly DigestItem[];
}

/** Whether many deliveries of a notification in a minute become one: as its owner has set it, else for mails only. */
export function isDigested({ digest, type }: { digest: boolean | number | null; type: string }): boolean {
  return digest === null ? type === 'email' : Boolean(digest);
}
