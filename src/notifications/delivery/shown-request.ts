import type { WebhookMethod } from '../requests/webhook-request';

/** What a channel sends, as the owner of the notification sees it. */
export interface ShownRequest {
  /** Null for a mail. */
  method: WebhookMethod | null;
  /** The URL, or a mail address. */
  url: string;
  contentType: string;
  /** Without headers of the connection; with the subject of a mail. */
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Why parts are empty. */
  note?: string;
}
