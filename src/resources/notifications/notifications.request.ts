import type { ChannelType } from '../../delivery/channels';
import type { WebhookFormat } from '../../rules/webhook-format';

/** A message and its destination. */
export interface NewNotification {
  /** @example "url" */
  type: ChannelType;
  /**
   * May contain variables: `$sensor_data_value`, `{{trigger_name}}` and the others of an expression; a field of a JSON value as
   * `$sensor_data_value.temperature`.
   * @maxLength 10000
   * @example "$sensor_name: $sensor_data_value °C"
   */
  text?: string;
  /**
   * Where the channel sends to: an email address, or an http or https URL.
   * @maxLength 2000
   * @example "https://receiver.example.org/hook"
   */
  destination: string;
  /**
   * How the bodies of requests to a URL are written: `form` if not given, or `json`, which the public libraries of Standard Webhooks
   * can verify and read.
   * @example "json"
   */
  format?: WebhookFormat;
  /**
   * Whether, after 30 deliveries of firings in a minute, the rest of that minute goes out as one; for emails it does, if not given.
   * @example true
   */
  digest?: boolean;
}

/** Creates a notification. */
export interface CreateNotificationRequest {
  notification: NewNotification;
}

/** The fields of a notification to change; others keep their values. */
export interface NotificationChanges {
  /** @example "url" */
  type?: ChannelType;
  /**
   * @maxLength 10000
   * @example "$sensor_name: $sensor_data_value °C"
   */
  text?: string;
  /**
   * @maxLength 2000
   * @example "https://receiver.example.org/hook"
   */
  destination?: string;
  /**
   * How the bodies of requests to a URL are written: `form` or `json`, which the public libraries of Standard Webhooks
   * can verify and read.
   * @example "json"
   */
  format?: WebhookFormat;
  /**
   * Whether, after 30 deliveries of firings in a minute, the rest of that minute goes out as one.
   * @example true
   */
  digest?: boolean;
  /**
   * Whether it is switched on. When it is switched off, pending deliveries fail.
   * @example true
   */
  enabled?: boolean;
}

/** Changes a notification. */
export interface UpdateNotificationRequest {
  notification: NotificationChanges;
}
