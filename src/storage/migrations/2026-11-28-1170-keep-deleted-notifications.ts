import type { Migration } from './migration';

/** What a deleted notification needs for the ends of episodes that wait to be sent. */
export const keepDeletedNotifications: Migration = {
  name: '2026-11-28-1170-keep-deleted-notifications',
  // No foreign key: the notification is gone.
  up: (schema) =>
    schema.createTable(
      'deleted_notifications',
      `id BIGINT UNSIGNED NOT NULL,
       owner_id BIGINT UNSIGNED NOT NULL,
       kept MEDIUMTEXT NOT NULL,
       PRIMARY KEY (id),
       KEY deleted_notifications_owner (owner_id)`,
    ),
  down: (schema) => schema.dropTable('deleted_notifications'),
};
