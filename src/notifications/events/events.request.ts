import { parseId } from '../../edge/id';
import type { PageQuery } from '../../edge/paging';
import { type EventName, isEventName } from '../../events/event-catalogue';
import { InvalidInput, NotFound } from '../../platform/errors';
import { withoutUndefined } from '../../platform/without-undefined';

/** The name of an event, read by `readEvent`; the values are listed in src/api/openapi/free-schemas.ts. */
export type NameOfEvent = string;

/** The optional fields of the event notification. */
export interface EventNotificationFields {
  /**
   * @maxLength 255
   * @example "greenhouse uploads"
   */
  name?: string;
  /**
   * The name of an event; `GET /events` describes each.
   * @example "add_sensor_data"
   */
  event?: NameOfEvent;
  /**
   * A notification of yours.
   * @example "7"
   */
  notification_id?: string;
  /**
   * Event notifications of the same event go out in order of priority, highest first. 0 if not given.
   * @isInt must be a whole number
   * @minimum -2147483648
   * @maximum 2147483647
   * @example 10
   */
  priority?: number;
  /**
   * `false` disables it.
   * @example true
   */
  enabled?: boolean;
  /**
   * Only events in this sensor, group or environment; 0 or not given: anywhere.
   * @example "42"
   */
  source_id?: string;
}

/** A new event notification. */
export interface NewEventNotificationFields extends EventNotificationFields {
  /**
   * The name of an event; `GET /events` describes each.
   * @example "add_sensor_data"
   */
  event: NameOfEvent;
  /**
   * A notification of yours.
   * @example "7"
   */
  notification_id: string;
}

export interface CreateEventNotificationRequest {
  event_notification: NewEventNotificationFields;
}

export interface UpdateEventNotificationRequest {
  event_notification: EventNotificationFields;
}

/** The filters of a list of event notifications. */
export interface EventNotificationListQuery extends PageQuery {
  /**
   * `true`: only enabled ones; `false`: only disabled ones.
   * @example true
   */
  enabled?: boolean;
  /**
   * Only those for this event.
   * @example "add_sensor_data"
   */
  event?: NameOfEvent;
}

/** Reads a new event notification. */
export function readNewEventNotification(fields: NewEventNotificationFields) {
  return {
    ...readEventNotification(fields),
    event: readEvent(fields.event),
    notificationId: readNotificationId(fields.notification_id),
  };
}

/** Reads the fields; undefined for absent ones. A source of 0 is "none". */
export function readEventNotification(fields: EventNotificationFields) {
  const { event, notification_id, source_id, name, priority, enabled } = fields;
  return withoutUndefined({
    ...{ name, priority, enabled },
    event: event === undefined ? undefined : readEvent(event),
    notificationId: notification_id === undefined ? undefined : readNotificationId(notification_id),
    sourceId: source_id === undefined ? undefined : readSourceId(source_id),
  });
}

function readEvent(name: string): EventName {
  if (isEventName(name)) return name;
  throw InvalidInput.field('event_notification.event', 'is not an event of the platform: GET /events lists them');
}

function readNotificationId(text: string): number {
  const id = parseId(text);
  if (id === null) throw new NotFound('the notification');
  return id;
}

function readSourceId(text: string): number | null {
  if (/^0+$/.test(text)) return null;
  const id = parseId(text);
  if (id === null) throw InvalidInput.field('event_notification.source_id', 'must be an id');
  return id;
}

/** The senders whose mails a recipient decides about. */
export type MailSource = 'user' | 'everybody';

/** The token of a mail's link, and the senders whose mails it is about. */
export interface SubscriptionQuery {
  /**
   * The token of the link in the mail
   * @example "a17.o9Xyx3sJmVbHkGmX4n2f0mY0yqv3m1sG6m4kqz7F1aE"
   */
  token: string;
  /**
   * The mails of the user who caused the mail (`user`), or of all users of the platform (`everybody`)
   * @example "user"
   */
  from?: MailSource;
}
