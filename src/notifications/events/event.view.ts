import type { PageTotal } from '../../edge/paging';
import { EVENT_CATALOGUE, type EventKind, type EventName, type EventThing } from '../../events/event-catalogue';
import type { EventNotification } from '../../storage/models/event-notification.model';

/** An event that the platform can notify of. */
export interface EventView {
  /** @example "add_sensor_data" */
  name: EventName;
  /** @example "Data points were added to a sensor" */
  description: string;
  /**
   * The kind of thing that `subject_id` refers to.
   * @example "sensor"
   */
  subject: EventThing;
  /**
   * The kind of thing that `source_id` refers to; null if the event has no source.
   * @example "sensor"
   */
  source: EventKind['source'];
}

/** The response with a page of events. */
export interface EventsResponse extends PageTotal {
  events: EventView[];
}

/** The connection of an event to a notification. */
export interface EventNotificationView {
  /** @example "3" */
  id: string;
  /** @example "greenhouse uploads" */
  name: string;
  /** @example "add_sensor_data" */
  event: EventName;
  /** @example "7" */
  notification_id: string;
  /**
   * @isInt
   * @example 10
   */
  priority: number;
  /** @example true */
  enabled: boolean;
  /**
   * The sensor, group or environment in which the event must happen; `null`: anywhere.
   * @example "42"
   */
  source_id: string | null;
}

/** The response with one event notification. */
export interface EventNotificationResponse {
  event_notification: EventNotificationView;
}

/** The response with a page of event notifications. */
export interface EventNotificationsResponse extends PageTotal {
  event_notifications: EventNotificationView[];
}

export function toEventView(name: EventName): EventView {
  return { name, ...EVENT_CATALOGUE[name] };
}

export function toEventNotificationView(row: EventNotification): EventNotificationView {
  return {
    id: String(row.id),
    name: row.name,
    event: row.event as EventName, // the column holds nothing else
    notification_id: String(row.notificationId),
    priority: Number(row.priority),
    enabled: Boolean(row.enabled),
    source_id: row.sourceId === null ? null : String(row.sourceId),
  };
}
