import type { Migration } from './migration';

/** Notifications can be disabled, by their owner or because nothing arrives; a mail then informs the owner. */
export const switchNotificationsOff: Migration = {
  name: '2026-11-21-0861-switch-notifications-off',
  up: async (schema) => {
    await schema.addColumn('notifications', 'enabled', 'BOOLEAN NOT NULL DEFAULT TRUE');
    await schema.addColumn('notifications', 'disabled_reason', 'VARCHAR(16) NULL');
    await schema.addColumn('notifications', 'failing_since_ms', 'BIGINT NULL');
    await schema.addColumn('deliveries', 'mail_subject', 'VARCHAR(255) NULL AFTER text');
    await schema.addIndex('deliveries', 'deliveries_notification_status', ['notification_id', 'status', 'id']);
  },
  down: async (schema) => {
    await schema.dropIndex('deliveries', 'deliveries_notification_status');
    await schema.dropColumn('deliveries', 'mail_subject');
    await schema.dropColumn('notifications', 'enabled');
    await schema.dropColumn('notifications', 'disabled_reason');
    await schema.dropColumn('notifications', 'failing_since_ms');
  },
};
