import { EVENT_CATALOGUE, type EventKind, type EventName, type EventThing } from '../domain/event-catalogue';
import type { EventNotification } from '../models/event-notification.model';

/** An event that the platform can notify of. */
export interface EventView {
  /** @example "add_sensor_data" */
  name: EventName;
  /** @example "Data points were added to a sensor" */
  description: string;
  /**
   * What `subject_id` names.
   * @example "sensor"
   */
  subject: EventThing;
  /**
   * What `source_id` names; null when such an event has no source.
   * @example "sensor"
   */
  source: EventKind['source'];
}

/** The answer that carries a page of events. */
export interface EventsResponse {
  events: EventView[];
  /**
   * Only with `total=1`.
   * @isLong
   * @example 1
   */
  total?: number;
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
   * null: wherever it happens.
   * @example "42"
   */
  source_id: string | null;
}

/** The answer that carries one event notification. */
export interface EventNotificationResponse {
  event_notification: EventNotificationView;
}

/** The answer that carries a page of event notifications. */
export interface EventNotificationsResponse {
  event_notifications: EventNotificationView[];
  /**
   * Only with `total=1`.
   * @isLong
   * @example 1
   */
  total?: number;
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
