import { toUnixSeconds, toUnixSecondsOrNull } from '../../edge/dates';
import type { PageTotal } from '../../edge/paging';
import { toFields } from '../../edge/renaming';
import type { Notification } from '../../storage/models/notification.model';
import type { DeliveryStatus } from '../deliveries/delivery.view';
import type { LastDelivery } from '../deliveries/last-deliveries';
import { toWaitingView, type WaitingView } from '../deliveries/waiting.view';
import type { ChannelType } from '../delivery/channels';
import { isDigested } from '../delivery/digest';
import type { Standstill } from '../delivery/standstill';
import type { WebhookFormat } from '../delivery/webhook-format';
import { bodyOf, type WebhookMethod } from '../requests/webhook-request';
import type { NamedValues } from './notifications.request';
import type { AboutNotifications } from './notifications.service';
import { shownDestination } from './push-subscription';
import { hideSecrets } from './sealed-values';
import { previousSignsUntil, readReplacedSecrets } from './signing-secrets';

/**
 * The reason why a notification is disabled: by its owner, after five days of failures, by its recipient, or because
 * the subscription of its browser has ended (`gone`); `""` if it is enabled.
 */
export type DisabledReason = 'owner' | 'failing' | 'unsubscribed' | 'gone' | '';

/** The newest delivery of a notification, with the result of its latest attempt. */
export interface LastDeliveryView {
  /** @example "311" */
  id: string;
  /** @example "failed" */
  status: DeliveryStatus;
  /**
   * Unix seconds.
   * @example 1795229544.9
   */
  created: number;
  /**
   * Unix seconds; `null` if no further attempt will be made, or it is aggregated with others.
   * @example null
   */
  next_attempt: number | null;
  /**
   * When its latest attempt started (unix seconds); `null` before the first.
   * @example 1795229545.2
   */
  date: number | null;
  /**
   * The status code of that attempt; `null` if there was no response.
   * @isInt
   * @example 410
   */
  status_code: number | null;
  /**
   * Why that attempt failed; `""` if it did not.
   * @example "the receiver is permanently gone"
   */
  error: string;
}

/** A message and its destination. */
export interface NotificationView {
  /** @example "17" */
  id: string;
  /** @example "url" */
  type: ChannelType;
  /** @example "{{sensor_name}}: {{sensor_data_value}} °C" */
  text: string;
  /**
   * Of type `push`, the endpoint of the browser. Its holder could try to send there: credentials that are not shown the
   * `signing_secret` see only its origin.
   * @example "https://receiver.example.org/hook"
   */
  destination: string;
  /**
   * The name that its owner gave it; absent if there is none. Of type `push` the name of the browser, `""` if it has none.
   * @example "Discord of the team"
   */
  name?: string;
  /**
   * The format of the bodies of requests to a URL.
   * @example "form"
   */
  format: WebhookFormat;
  /**
   * The preset that filled its destination and request when it was created; `null` if none did.
   * @example null
   */
  preset: string | null;
  /** @example "POST" */
  method: WebhookMethod;
  /**
   * Further headers of each request; their values are not shown.
   * @example {"Authorization": "…"}
   */
  headers: NamedValues;
  /**
   * Values that the templates read as `secrets.name`; they are not shown.
   * @example {"token": "…"}
   */
  secrets: NamedValues;
  /**
   * Who reads its messages: alerts that a link in them acknowledges show this name; `null` names nobody.
   * @example "Grace"
   */
  person: string | null;
  /**
   * The content type of `body`; `null`: `application/json`.
   * @example null
   */
  content_type: string | null;
  /**
   * The template of bodies: a JSON value, or a string for other types; `null`: the body of `format`.
   * @example {"message": "{{title}}"}
   */
  body: unknown;
  /**
   * The template for ends of episodes; `null`: `body`.
   * @example null
   */
  body_resolved: unknown;
  /**
   * The URL for ends of episodes; `null`: `destination`.
   * @example null
   */
  destination_resolved: string | null;
  /**
   * The template for acknowledgements; `null`: none is sent.
   * @example null
   */
  body_acknowledged: unknown;
  /**
   * The URL for acknowledgements; `null`: `destination`.
   * @example null
   */
  destination_acknowledged: string | null;
  /**
   * The certificate of the authority of the receiver, in PEM format.
   * @example null
   */
  ca_certificate: string | null;
  /**
   * The expression over `status` and `body` of an answer that says whether it is a success; `null`: any status 2xx.
   * @example null
   */
  success: string | null;
  /**
   * Whether, after 30 deliveries of firings in a minute, the rest of that minute is aggregated into one.
   * @example false
   */
  digest: boolean;
  /**
   * Whether deliveries may go to the destination. `false` for an email address, including the address of your account,
   * whose recipient has not confirmed it yet by the mailed link, has unsubscribed from your mails, or refuses the mails
   * of all accounts: until they confirm, deliveries fail at once. URLs need no confirmation, nor do addresses if no
   * mail leaves the platform's machine.
   * @example true
   */
  confirmed: boolean;
  /**
   * With this secret receivers verify deliveries: each request to a URL carries `webhook-id`, `webhook-timestamp` and
   * `webhook-signature` as specified by Standard Webhooks (https://www.standardwebhooks.com). The signature is `v1,`
   * and the base64 of HMAC-SHA-256 over `<webhook-id>.<webhook-timestamp>.<body as received>`, its key the base64 after
   * `whsec_`. Several signatures are separated by spaces; one valid signature is enough. Refuse timestamps that are
   * more than five minutes off. It is left out for keys and tokens without the scope `write` and for keys that are
   * limited to sensors: its holder can forge deliveries.
   * @example "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
   */
  signing_secret?: string;
  /**
   * Until when (unix seconds) deliveries are also signed by the previous secret; `null` if it was never replaced.
   * @example null
   */
  previous_secret_until: number | null;
  /**
   * Whether it is enabled. While it is disabled, firings and events create no deliveries for it, and pending ones fail.
   * @example true
   */
  enabled: boolean;
  /** @example "" */
  disabled_reason: DisabledReason;
  /**
   * How often a probe is sent, in seconds; `null` for never.
   * @isInt
   * @example 86400
   */
  probe: number | null;
  /**
   * When a delivery of any kind last arrived at the present destination, to the minute (unix seconds): the receiver
   * accepted it, or the mail server took the mail. `null` if none did.
   * @example 1795229545
   */
  last_proven: number | null;
  /**
   * Its newest delivery, a test included, as long as deliveries are kept; `null` if there is none.
   * @example null
   */
  last_delivery: LastDeliveryView | null;
  /**
   * Why deliveries of it wait, by the most urgent of them; `null` if none does.
   * @example null
   */
  waiting: WaitingView | null;
}

/** The response with one notification. */
export interface NotificationResponse {
  notification: NotificationView;
  /**
   * Only if it will not work in the current configuration: for example, this installation refuses to deliver to its
   * address, its recipient refuses the mails of all accounts, or it shows a field that no connected sensor has; otherwise
   * if a rule set manages it.
   * @example "this installation refuses deliveries to the address of this host, because it is not public"
   */
  warning?: string;
}

/** Why nothing at all is evaluated or sent. */
export interface StandstillView {
  /** @example "no worker runs: data is stored, but nothing is evaluated and nothing is sent" */
  reason: string;
  /**
   * When the oldest of your points, events, deliveries and triggers that wait was due (unix seconds).
   * @example 1795231680
   */
  since: number;
}

export function toStandstillView({ reason, sinceMs }: Standstill): StandstillView {
  return { reason, since: toUnixSeconds(sinceMs) };
}

/** The response with a page of notifications. */
export interface NotificationsResponse extends PageTotal {
  notifications: NotificationView[];
  /** Only while something of yours is overdue and no worker of the platform runs: tell its operator. */
  standstill?: StandstillView;
}

/** The key that browsers subscribe with. */
export interface PushKeyView {
  /**
   * The application server key of this installation (RFC 8292), in base64url. It never changes.
   * @example "BDd3_hVL9fZi9Ybo2UUzA284WG5FZR30_95YeZJsiApwXKpNcF1rRPF3foIiBHXRdJI2Qhumhf6_LFTeZaNndIo"
   */
  public_key: string;
}

/** The response with the key that browsers subscribe with. */
export interface PushKeyResponse {
  push_key: PushKeyView;
}

/** The warning for a notification to a mailbox that refuses all mails. */
export const REFUSED_WARNING =
  'the recipient takes no mails of any account of this platform: only they can allow yours, by the link in a mail that they got';

/** The notification in its owner's view; `withSecret` unless their credential may not see secrets. */
export function toNotificationView(
  notification: Notification,
  { withSecret }: { withSecret: boolean },
  { refused, last, waiting }: AboutNotifications,
): NotificationView {
  return {
    id: String(notification.id),
    type: notification.type as ChannelType, // the column holds nothing else
    text: notification.text,
    destination: shownDestination(notification, { withSecret }),
    ...((notification.type === 'push' || notification.name !== null) && { name: notification.name ?? '' }),
    person: notification.person,
    format: notification.format as WebhookFormat, // the column holds nothing else
    ...requestView(notification),
    digest: isDigested(notification),
    confirmed: notification.confirmed && !refused.has(notification.id),
    ...(withSecret && { signing_secret: notification.signingSecret }),
    previous_secret_until: toUnixSecondsOrNull(previousSignsUntil(readReplacedSecrets(notification.replacedSecrets))),
    enabled: notification.enabled,
    disabled_reason: (notification.disabledReason ?? '') as DisabledReason, // the column holds nothing else
    probe: notification.probeS,
    last_proven: toUnixSecondsOrNull(notification.provenMs),
    last_delivery: toLastDeliveryView(last.get(notification.id)),
    waiting: toWaitingView(waiting.get(notification.id)),
  };
}

/** What its owner sets, without what the platform adds. */
export function toNotificationSettings(notification: Notification) {
  const { preset, ...request } = requestView(notification);
  return {
    ...{ type: notification.type, text: notification.text, format: notification.format, person: notification.person },
    destination: notification.type === 'push' ? null : notification.destination,
    ...{ digest: isDigested(notification), probe: notification.probeS, enabled: notification.enabled },
    ...request,
  };
}

function toLastDeliveryView(last: LastDelivery | undefined): LastDeliveryView | null {
  if (!last) return null;
  return {
    id: String(last.id),
    status: last.status as DeliveryStatus, // the column holds nothing else
    created: toUnixSeconds(last.createdMs),
    next_attempt: toUnixSecondsOrNull(last.nextAttemptMs),
    date: toUnixSecondsOrNull(last.attemptedMs),
    status_code: last.statusCode,
    error: last.error ?? '',
  };
}

function requestView(notification: Notification) {
  const { method, headers, secrets, contentType } = notification;
  return {
    ...toFields(notification, ['preset', 'contentType', 'destinationResolved', 'destinationAcknowledged']),
    ...toFields(notification, ['caCertificate', 'success']),
    method: (method ?? 'POST') as WebhookMethod, // the column holds nothing else
    headers: hideSecrets(headers),
    secrets: hideSecrets(secrets),
    body: bodyOf(contentType, notification.body),
    body_resolved: bodyOf(contentType, notification.bodyResolved),
    body_acknowledged: bodyOf(contentType, notification.bodyAcknowledged),
  };
}
