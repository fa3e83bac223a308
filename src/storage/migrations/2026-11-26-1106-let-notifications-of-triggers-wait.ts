import type { Migration } from './migration';

/** How long an episode must last before a notification of a whole trigger gets its firing, in seconds. */
export const letNotificationsOfTriggersWait: Migration = {
  name: '2026-11-26-1106-let-notifications-of-triggers-wait',
  up: (schema) => schema.addColumn('trigger_notifications', 'after_s', 'INT NOT NULL DEFAULT 0'),
  down: (schema) => schema.dropColumn('trigger_notifications', 'after_s'),
};
