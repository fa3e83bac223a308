import type { Migration } from './migration';

/**
 * Selectors of triggers, the connections that they make, notifications of whole triggers, and the owners whose
 * selectors must be compared with their sensors.
 */
export const followSelectors: Migration = {
  name: '2026-11-26-1103-follow-selectors',
  up: async (schema) => {
    await schema.addColumn('triggers', 'selector', 'TEXT NULL');
    // Not null as long as sensors may be connected by a selector.
    await schema.addColumn('triggers', 'selected_sensors', 'INT UNSIGNED NULL');
    await schema.addColumn('triggers', 'selector_error', 'VARCHAR(255) NULL');
    await schema.addColumn('sensor_triggers', 'by_selector', 'BOOLEAN NOT NULL DEFAULT FALSE');
    await schema.createTable(
      'trigger_notifications',
      `trigger_id BIGINT UNSIGNED NOT NULL,
       notification_id BIGINT UNSIGNED NOT NULL,
       PRIMARY KEY (trigger_id, notification_id),
       KEY trigger_notifications_notification (notification_id),
       CONSTRAINT trigger_notifications_trigger_fk FOREIGN KEY (trigger_id) REFERENCES triggers (id) ON DELETE CASCADE,
       CONSTRAINT trigger_notifications_notification_fk FOREIGN KEY (notification_id) REFERENCES notifications (id)
         ON DELETE CASCADE`,
    );
    // `version` is set by each change of the owner's sensors, and null once the selectors have followed.
    await schema.createTable(
      'selector_owners',
      `owner_id BIGINT UNSIGNED NOT NULL,
       version CHAR(36) CHARACTER SET ascii NULL,
       watched BOOLEAN NOT NULL DEFAULT FALSE,
       PRIMARY KEY (owner_id),
       KEY selector_owners_waiting (watched, version),
       CONSTRAINT selector_owners_owner_fk FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE`,
    );
  },
  down: async (schema) => {
    await schema.dropTable('selector_owners');
    await schema.dropTable('trigger_notifications');
    await schema.dropColumn('sensor_triggers', 'by_selector');
    await schema.dropColumn('triggers', 'selector_error');
    await schema.dropColumn('triggers', 'selected_sensors');
    await schema.dropColumn('triggers', 'selector');
  },
};
