import type { Migration } from './migration';

/**
 * How long an episode must last before a notification gets its firing, in seconds; and whether a delivery waits for
 * that, so that the end of the episode or its acknowledgement deletes it.
 */
export const letNotificationsWait: Migration = {
  name: '2026-11-26-1104-let-notifications-wait',
  up: async (schema) => {
    await schema.addColumn('sensor_trigger_notifications', 'after_s', 'INT NOT NULL DEFAULT 0');
    await schema.addColumn('deliveries', 'escalation', 'BOOLEAN NOT NULL DEFAULT FALSE');
  },
  down: async (schema) => {
    await schema.dropColumn('deliveries', 'escalation');
    await schema.dropColumn('sensor_trigger_notifications', 'after_s');
  },
};
