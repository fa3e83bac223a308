import type { WebhookMethod } from '../requests/webhook-request';

export interface ShownRequest {
  /** Null for a mail. */
  method: WebhookMethod | null;
  url: string;
  contentType: string;
  /** A mail has its subject here. */
  headers: Readonly<Record<string, string>>;
  body: string;
  note?: string;
}
