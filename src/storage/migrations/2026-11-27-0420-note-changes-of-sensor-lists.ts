import type { Migration } from './migration';

/** A version for each user, which changes with the number of their sensors: so long as it stays, a count needs no repetition. */
export const noteChangesOfSensorLists: Migration = {
  name: '2026-11-27-0420-note-changes-of-sensor-lists',
  up: (schema) =>
    schema.createTable(
      'sensor_list_versions',
      `owner_id BIGINT UNSIGNED NOT NULL,
       version CHAR(36) CHARACTER SET ascii NOT NULL,
       PRIMARY KEY (owner_id),
       CONSTRAINT sensor_list_versions_owner_fk FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE`,
    ),
  down: (schema) => schema.dropTable('sensor_list_versions'),
};
