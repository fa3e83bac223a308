import type { Migration } from './migration';

/** A notification may be switched off, by its owner or because nothing arrives there; what it then owes is a mail. */
export const switchNotificationsOff: Migration = {
  name: '2026-11-21-0861-switch-notifications-off',
  up: async (run) => {
    await run(
      `ALTER TABLE notifications ADD COLUMN enabled BOOLEAN NOT NULL DEFAULT TRUE, ADD COLUMN disabled_reason VARCHAR(16) NULL,
         ADD COLUMN failing_since_ms BIGINT NULL`,
    );
    await run(
      `ALTER TABLE deliveries ADD COLUMN mail_subject VARCHAR(255) NULL AFTER text,
         ADD KEY deliveries_notification_status (notification_id, status, id)`,
    );
  },
  down: async (run) => {
    await run('ALTER TABLE deliveries DROP KEY deliveries_notification_status, DROP COLUMN mail_subject');
    await run(
      'ALTER TABLE notifications DROP COLUMN enabled, DROP COLUMN disabled_reason, DROP COLUMN failing_since_ms',
    );
  },
};
