import type { Migration } from './migration';

/** The load of the last two days: of the platform by minute, and of users by hour. */
export const sampleMinutes: Migration = {
  name: '2026-11-26-1261-sample-minutes',
  up: async (schema) => {
    await schema.createTable(
      'minute_samples',
      `minute_ms BIGINT NOT NULL,
       name VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
       value DOUBLE NOT NULL,
       PRIMARY KEY (minute_ms, name)`,
    );
    await schema.createTable(
      'user_hours',
      `user_id BIGINT UNSIGNED NOT NULL,
       hour_ms BIGINT NOT NULL,
       points BIGINT UNSIGNED NOT NULL DEFAULT 0,
       deliveries BIGINT UNSIGNED NOT NULL DEFAULT 0,
       PRIMARY KEY (user_id, hour_ms),
       KEY user_hours_hour (hour_ms)`,
    );
  },
  down: async (schema) => {
    await schema.dropTable('user_hours');
    await schema.dropTable('minute_samples');
  },
};
