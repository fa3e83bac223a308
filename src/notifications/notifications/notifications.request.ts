import { toColumns } from '../../edge/renaming';
import type { ChannelType } from '../delivery/channels';
import type { WebhookFormat } from '../delivery/webhook-format';
import type { WebhookInput, WebhookMethod } from '../requests/webhook-request';
import type { PresetFields } from './presets.request';

/** The values of headers or of secrets by their names. */
export interface NamedValues {
  [name: string]: string;
}

/** The request of a notification to a URL, as its owner shapes it. Only for the type `url`. */
export interface WebhookFields {
  /** @example "POST" */
  method?: WebhookMethod;
  /**
   * Further headers of each request, at most 10. The values are stored encrypted and never shown: `…` in a change keeps
   * the value of this header. A change replaces all headers.
   * @example {"Authorization": "Bearer 2f0c7d"}
   */
  headers?: NamedValues;
  /**
   * Values that the templates read as `{{secrets.name}}`, at most 10. They are stored encrypted and never shown: `…` in a
   * change keeps the value of this secret. A change replaces all secrets.
   * @example {"token": "2f0c7d"}
   */
  secrets?: NamedValues;
  /**
   * The content type of `body`; `null`, the default: `application/json`.
   * @maxLength 100
   * @example "text/plain"
   */
  content_type?: string | null;
  /**
   * The body of each request. For JSON an object or a list whose strings are templates, for a form an object whose fields
   * are templates, for other types a template. `null`, the default: the body of `format`.
   * @example {"message": "{{title}}", "priority": "{{number(severity == \"critical\" ? 8 : 5)}}"}
   */
  body?: unknown;
  /**
   * The body of requests that report the end of an episode; `null`, the default: `body`.
   * @example {"message": "{{sensor_name}} is fine again"}
   */
  body_resolved?: unknown;
  /**
   * The URL for the end of an episode, on the same host; `null`, the default: `destination`.
   * @maxLength 2000
   * @example "https://receiver.example.org/alerts/{{episode}}/close"
   */
  destination_resolved?: string | null;
  /**
   * The body of a request that reports that an alert was acknowledged; `null`, the default: none is sent. It goes to
   * receivers that got the alert.
   * @example {"action": "acknowledge", "alert": "{{episode}}"}
   */
  body_acknowledged?: unknown;
  /**
   * The URL for acknowledgements, on the same host; `null`, the default: `destination`.
   * @maxLength 2000
   * @example "https://receiver.example.org/alerts/{{episode}}/acknowledge"
   */
  destination_acknowledged?: string | null;
  /**
   * The certificate of the authority of the receiver, in PEM format, in addition to those that the platform trusts.
   * @maxLength 20000
   * @example null
   */
  ca_certificate?: string | null;
  /**
   * Which answer of the receiver is a success, for receivers that answer 200 with an error: an expression over `status`
   * and `body`, with the fields of a JSON body; `null`, the default: any status 2xx. An answer that is no success is
   * tried again.
   * @maxLength 2000
   * @example "status == 200 and body.code == 0"
   */
  success?: string | null;
}

/** The longest time that a test waits for its attempt, in seconds: receivers have ten seconds to answer. */
export const LONGEST_WAIT_S = 15;

/** How a notification is tested. */
export interface TestQuery {
  /**
   * How long the request waits for the first attempt, in seconds; 15 by default, 0 for not at all.
   * @minimum 0
   * @maximum 15
   * @example 15
   */
  wait?: number;
}

/** The keys of a browser's subscription. They are stored encrypted, and never shown. */
export interface BrowserKeys {
  /**
   * The browser's public key on P-256, in base64url.
   * @maxLength 100
   * @example "BGEw2wsHgLwzerjvnMTkbKrFRxdmwJ5S_k7zi7A1coR_sVjHmGrlvzYpAT1n4NPbioFlQkIrTNL8EH4V3ZZ4vJE"
   */
  p256dh: string;
  /**
   * The browser's authentication secret, 16 bytes in base64url.
   * @maxLength 32
   * @example "010203040506070809010A"
   */
  auth: string;
}

/** What `PushSubscription.toJSON()` returns in a browser that has subscribed with the key of `GET /notifications/push_key`. */
export interface BrowserSubscription {
  /**
   * The https URL of the browser's push service.
   * @maxLength 2000
   * @example "https://push.example.net/send/d8a7f0"
   */
  endpoint: string;
  /** @example {"p256dh": "BGEw2wsHgLwzerjvnMTkbKrFRxdmwJ5S_k7zi7A1coR_sVjHmGrlvzYpAT1n4NPbioFlQkIrTNL8EH4V3ZZ4vJE", "auth": "010203040506070809010A"} */
  keys: BrowserKeys;
  /**
   * Ignored: a push service says when a subscription has ended.
   * @example null
   */
  expirationTime?: number | null;
}

/** The optional fields of a notification. */
interface NotificationFields extends WebhookFields {
  /** @example "url" */
  type?: ChannelType;
  /**
   * May contain variables: `$sensor_data_value`, `{{trigger_name}}` and the others of an expression; a field of a JSON value as
   * `$sensor_data_value.temperature`.
   * @maxLength 10000
   * @example "{{sensor_name}}: {{sensor_data_value}} °C"
   */
  text?: string;
  /**
   * @maxLength 2000
   * @example "https://receiver.example.org/hook"
   */
  destination?: string;
  /**
   * The subscription of a browser: only for type `push`. It replaces the one before.
   * @example {"endpoint": "https://push.example.net/send/d8a7f0", "keys": {"p256dh": "BGEw2wsHgLwzerjvnMTkbKrFRxdmwJ5S_k7zi7A1coR_sVjHmGrlvzYpAT1n4NPbioFlQkIrTNL8EH4V3ZZ4vJE", "auth": "010203040506070809010A"}}
   */
  subscription?: BrowserSubscription;
  /**
   * A name of your choice, by which you recognise it; `null` removes it.
   * @maxLength 100
   * @example "Discord of the team"
   */
  name?: string | null;
  /**
   * Who reads its messages: alerts that a link in them acknowledges show this name. `null` names nobody.
   * @maxLength 100
   * @example "Grace"
   */
  person?: string | null;
  /**
   * The format of the bodies of requests to a URL: `form`, which is the default, or `json`, which the public libraries
   * of Standard Webhooks can verify and read.
   * @example "json"
   */
  format?: WebhookFormat;
  /**
   * Whether, after 30 deliveries of firings in a minute, the rest of that minute is aggregated into one; the default is
   * true for emails only.
   * @example true
   */
  digest?: boolean;
  /**
   * Seconds, from 3,600 to 2,592,000 (30 days): how often a probe is sent, a test by the clock that shows that deliveries
   * arrive. `null`, the default: never.
   * @isInt
   * @minimum 3600
   * @maximum 2592000
   * @example 86400
   */
  probe?: number | null;
}

/**
 * A message and its destination.
 * @example {"type": "url", "text": "{{sensor_name}}: {{sensor_data_value}} °C", "destination": "https://receiver.example.org/hook", "format": "json", "digest": true, "method": "POST", "headers": {"Authorization": "Bearer 2f0c7d"}, "secrets": {"token": "2f0c7d"}, "body": {"message": "{{title}}"}}
 */
export interface NewNotification extends NotificationFields, PresetFields {
  /**
   * Required without a preset.
   * @example "url"
   */
  type?: ChannelType;
  /**
   * The destination: an email address, or an http or https URL. Its path and query may hold templates, as bodies do.
   * Required, except with a preset, and for type `push`, which has a `subscription` instead.
   * @maxLength 2000
   * @example "https://receiver.example.org/hook"
   */
  destination?: string;
}

/** Creates a notification. */
export interface CreateNotificationRequest {
  notification: NewNotification;
}

/**
 * The fields of a notification to change; others keep their values.
 * @example {"type": "url", "text": "{{sensor_name}}: {{sensor_data_value}} °C", "destination": "https://receiver.example.org/hook", "format": "json", "digest": true, "method": "POST", "headers": {"Authorization": "Bearer 2f0c7d"}, "secrets": {"token": "2f0c7d"}, "body": {"message": "{{title}}"}, "enabled": true}
 */
export interface NotificationChanges extends NotificationFields {
  /**
   * Whether it is enabled. Disabling it fails pending deliveries.
   * @example true
   */
  enabled?: boolean;
}

/** Changes a notification. */
export interface UpdateNotificationRequest {
  notification: NotificationChanges;
}

const WEBHOOK_COLUMNS = [
  ...(['method', 'headers', 'secrets', 'contentType', 'body', 'caCertificate', 'success'] as const),
  ...(['bodyResolved', 'destinationResolved', 'bodyAcknowledged', 'destinationAcknowledged'] as const),
] as const;

/** Reads the fields of a request to a URL in addition to the others. */
export function readNotification<T extends WebhookFields>(fields: T) {
  const webhook: WebhookInput = toColumns(fields as WebhookFields, WEBHOOK_COLUMNS);
  return { ...fields, webhook };
}
