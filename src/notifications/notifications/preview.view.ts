import type { ReportedState, WebhookMethod } from '../requests/webhook-request';
import type { NamedValues } from './notifications.request';
import type { Preview } from './previews.service';

/** What a notification would send. `…` stands in the place of each secret, and in the place of the signature. */
export interface PreviewView {
  /**
   * The method of the request; `null` for a mail.
   * @example "POST"
   */
  method: WebhookMethod | null;
  /**
   * The URL of the request, or the address of a mail.
   * @example "https://chat.example.org/hooks/…"
   */
  url: string;
  /** @example "application/json" */
  content_type: string;
  /**
   * The headers of the request, except those of the connection; of a mail its subject.
   * @example {"authorization": "…"}
   */
  headers: NamedValues;
  /**
   * The body, or the text of a mail.
   * @example "{\"message\":\"Critical: too warm on hall\"}"
   */
  body: string;
  /**
   * Which templates could not be evaluated, which fields in the text do not exist, and why; `""` if nothing is missing.
   * @example ""
   */
  note: string;
  /**
   * What the notification reports: an acknowledgement only if it has a body for it.
   * @example ["firing", "resolved"]
   */
  states: ReportedState[];
}

/** The response with what a notification would send. */
export interface PreviewResponse {
  preview: PreviewView;
}

export function toPreviewView({ request, states }: Preview): PreviewView {
  const { method, url, contentType, headers, body, note } = request;
  return { method, url, content_type: contentType, headers, body, note: note ?? '', states };
}
