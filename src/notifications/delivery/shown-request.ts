import type { WebhookMethod } from '../requests/webhook-request';

/** What a channel sends for a delivery, as the owner of the notification sees it. */
export interface ShownRequest {
  /** Null for a mail. */
  method: WebhookMethod | null;
  /** The URL, or the address of a mail. */
  url: string;
  contentType: string;
  /** Without those of the connection; of a mail with its subject. */
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Why parts of it are empty; undefined if none is. */
  note?: string;
}
