import type { ChannelType } from '../channels';
import { previousSignsUntil, readReplacedSecrets } from '../domain/signing-secrets';
import type { Notification } from '../models/notification.model';
import { toUnixSecondsOrNull } from './unix-seconds';

/** Why a notification is switched off: by its owner, after five days of failures, or by its recipient; `""` when it is on. */
export type DisabledReason = 'owner' | 'failing' | 'unsubscribed' | '';

/** A message and where it goes. */
export interface NotificationView {
  /** @example "17" */
  id: string;
  /** @example "url" */
  type: ChannelType;
  /** @example "$sensor_name: $sensor_data_value °C" */
  text: string;
  /** @example "https://receiver.example.org/hook" */
  destination: string;
  /**
   * Receivers verify with it that a delivery is ours: each post to a URL carries `webhook-id`, `webhook-timestamp` and
   * `webhook-signature` as Standard Webhooks says (https://www.standardwebhooks.com). The signature is `v1,` and the base64 of
   * HMAC-SHA-256 over `<webhook-id>.<webhook-timestamp>.<body as received>`, its key the base64 after `whsec_`. Several
   * signatures are separated by spaces; one that fits is enough. Refuse timestamps that are more than five minutes off.
   * @example "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
   */
  signing_secret: string;
  /**
   * Until when (unix seconds) the secret before this one signs as well; `null` when it was never replaced.
   * @example null
   */
  previous_secret_until: number | null;
  /**
   * Whether it sends anything. Switched off, firings and events make no deliveries to it, and those that wait fail.
   * @example true
   */
  enabled: boolean;
  /** @example "" */
  disabled_reason: DisabledReason;
}

/** The answer that carries one notification. */
export interface NotificationResponse {
  notification: NotificationView;
}

/** The answer that carries some notifications. */
export interface NotificationsResponse {
  notifications: NotificationView[];
  /**
   * The number of all of them, when asked for with `total=1`.
   * @isLong
   * @example 1
   */
  total?: number;
}

export function toNotificationView(notification: Notification): NotificationView {
  return {
    id: String(notification.id),
    type: notification.type as ChannelType, // the column holds nothing else
    text: notification.text,
    destination: notification.destination,
    signing_secret: notification.signingSecret,
    previous_secret_until: toUnixSecondsOrNull(previousSignsUntil(readReplacedSecrets(notification.replacedSecrets))),
    enabled: notification.enabled,
    disabled_reason: (notification.disabledReason ?? '') as DisabledReason, // the column holds nothing else
  };
}
