import type { Migration } from './migration';

/**
 * How far an event has been dispatched and when a failed one is retried, with indexes to find the users whose events wait
 * and the event notifications of a user that match an event.
 */
export const dispatchEventsInPortions: Migration = {
  name: '2026-11-22-0200-dispatch-events-in-portions',
  up: async (schema) => {
    await schema.addColumn('events', 'done_user_id', 'BIGINT UNSIGNED NULL');
    await schema.addColumn('events', 'retry_at_ms', 'BIGINT NULL');
    await schema.addColumn('events', 'failures', 'INT UNSIGNED NOT NULL DEFAULT 0');
    await schema.addIndex('events', 'events_waiting', ['retry_at_ms', 'user_id', 'id']);
    await schema.addIndex('event_notifications', 'event_notifications_owner_event', ['owner_id', 'event', 'id']);
  },
  down: async (schema) => {
    await schema.dropIndex('event_notifications', 'event_notifications_owner_event');
    await schema.dropIndex('events', 'events_waiting');
    await schema.dropColumn('events', 'failures');
    await schema.dropColumn('events', 'retry_at_ms');
    await schema.dropColumn('events', 'done_user_id');
  },
};
