import type { TestUser } from './platform';

/** Makes an event notification with a URL notification of its own, over the API; returns both ids. */
export async function subscribe(
  { api }: TestUser,
  destination: string,
  event: string,
  { text = '', ...fields }: { text?: string; priority?: number; source_id?: string } = {},
): Promise<{ id: string; notificationId: string }> {
  const notification = await api.post('/notifications', { notification: { type: 'url', text, destination } });
  const notificationId: string = notification.body.notification.id;
  const answer = await api.post('/events/notifications', {
    event_notification: { name: event, event, notification_id: notificationId, ...fields },
  });
  if (answer.status !== 201) throw new Error(`subscribing answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return { id: answer.body.event_notification.id, notificationId };
}
