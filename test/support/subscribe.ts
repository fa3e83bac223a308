import { buildNotification, create } from './factories';
import type { TestUser } from './platform';

/** Builds an event notification with a URL notification of its own; returns both ids. */
export async function subscribe(
  user: TestUser,
  destination: string,
  event: string,
  { text = '', ...fields }: { text?: string; priority?: number; source_id?: string } = {},
): Promise<{ id: string; notificationId: string }> {
  const notificationId = await buildNotification(user, { destination, text });
  const body = { event_notification: { name: event, event, notification_id: notificationId, ...fields } };
  const { event_notification } = await create(user, '/events/notifications', body);
  return { id: event_notification.id, notificationId };
}
