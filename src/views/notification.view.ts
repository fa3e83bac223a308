import type { Notification } from '../models/notification.model';

/** A message and where it goes. */
export interface NotificationView {
  id: string;
  type: string;
  text: string;
  destination: string;
  /** Receivers verify with it that a delivery is ours (Standard Webhooks). */
  signing_secret: string;
}

/** The answer that carries one notification. */
export interface NotificationAnswer {
  notification: NotificationView;
}

/** The answer that carries some notifications. */
export interface NotificationsAnswer {
  notifications: NotificationView[];
  /** The number of all of them, when asked for with `total=1`. */
  total?: number;
}

export function toNotificationView(notification: Notification): NotificationView {
  return {
    id: String(notification.id),
    type: notification.type,
    text: notification.text,
    destination: notification.destination,
    signing_secret: notification.signingSecret,
  };
}
