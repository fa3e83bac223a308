import type { Migration } from './migration';

/** What the owners of sensors write at moments and periods of their data. */
export const writeNotes: Migration = {
  name: '2026-11-26-1230-write-notes',
  up: (schema) =>
    schema.createTable(
      'sensor_notes',
      `id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
       sensor_id BIGINT UNSIGNED NOT NULL,
       date_ms BIGINT NOT NULL,
       end_ms BIGINT NULL,
       text VARCHAR(500) NOT NULL,
       PRIMARY KEY (id),
       KEY sensor_notes_date (sensor_id, date_ms),
       CONSTRAINT sensor_notes_sensor_fk FOREIGN KEY (sensor_id) REFERENCES sensors (id) ON DELETE CASCADE`,
    ),
  down: (schema) => schema.dropTable('sensor_notes'),
};
