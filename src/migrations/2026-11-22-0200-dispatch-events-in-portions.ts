import type { Migration } from './migration';
import { addColumn, addIndex, dropColumn, dropIndex } from './repeatable';

/**
 * How far an event has been dispatched, when one that failed is tried again, and indexes to find whose events wait and which
 * event notifications of a user ask for an event.
 */
export const dispatchEventsInPortions: Migration = {
  name: '2026-11-22-0200-dispatch-events-in-portions',
  up: async (run) => {
    await addColumn(run, 'events', 'done_user_id', 'BIGINT UNSIGNED NULL');
    await addColumn(run, 'events', 'retry_at_ms', 'BIGINT NULL');
    await addColumn(run, 'events', 'failures', 'INT UNSIGNED NOT NULL DEFAULT 0');
    await addIndex(run, 'events', 'events_waiting', 'retry_at_ms, user_id, id');
    await addIndex(run, 'event_notifications', 'event_notifications_owner_event', 'owner_id, event, id');
  },
  down: async (run) => {
    await dropIndex(run, 'event_notifications', 'event_notifications_owner_event');
    await dropIndex(run, 'events', 'events_waiting');
    await dropColumn(run, 'events', 'failures');
    await dropColumn(run, 'events', 'retry_at_ms');
    await dropColumn(run, 'events', 'done_user_id');
  },
};
