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
   * The destination: an email address, or an http or https URL.
   * @maxLength 2000
   * @example "https://receiver.example.org/hook"
   */
  destination: string;
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
   * The format of the bodies of requests to a URL: `form`, or `json`, which the public libraries of Standard Webhooks
   * can verify and read.
   * @example "json"
   */
  format?: WebhookFormat;
  /**
   * Whether, after 30 deliveries of firings in a minute, the rest of that minute is aggregated into one.
   * @example true
   */
  digest?: boolean;
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
