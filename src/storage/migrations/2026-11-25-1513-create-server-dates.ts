import type { Migration } from './migration';

/** The latest date that the server gave to a point of a sensor, and to how many points in that transaction. */
export const createServerDates: Migration = {
  name: '2026-11-25-1513-create-server-dates',
  up: (schema) =>
    schema.createTable(
      'server_dates',
      `sensor_id INT UNSIGNED NOT NULL,
       last_ms BIGINT UNSIGNED NOT NULL,
       points INT UNSIGNED NOT NULL,
       PRIMARY KEY (sensor_id)`,
    ),
  down: (schema) => schema.dropTable('server_dates'),
};
