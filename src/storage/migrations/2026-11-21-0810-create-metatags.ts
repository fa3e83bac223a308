import type { Migration } from './migration';

const EXACT = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';

/**
 * Metatags, one row per value. Each row repeats the owner of the sensor, so that a search among one user's sensors reads
 * no rows of others; `value_key` is the value as text in lower case. Names and keys are bytes: texts that differ only in
 * trailing spaces are different.
 */
export const createMetatags: Migration = {
  name: '2026-11-21-0810-create-metatags',
  up: async (schema) => {
    await schema.createTable(
      'metatags',
      `sensor_id BIGINT UNSIGNED NOT NULL,
       namespace VARCHAR(255) ${EXACT} NOT NULL,
       name VARBINARY(32) NOT NULL,
       position INT UNSIGNED NOT NULL,
       owner_id BIGINT UNSIGNED NOT NULL,
       value VARCHAR(1000) ${EXACT} NOT NULL,
       value_key VARBINARY(800) NOT NULL,
       PRIMARY KEY (sensor_id, namespace, name, position),
       KEY metatags_value (owner_id, namespace, name, value_key, sensor_id),
       CONSTRAINT metatags_sensor_fk FOREIGN KEY (sensor_id) REFERENCES sensors (id) ON DELETE CASCADE`,
    );
    await schema.addIndex('sensors', 'sensors_name', ['owner_id', 'name', 'id']);
  },
  down: async (schema) => {
    await schema.dropIndex('sensors', 'sensors_name');
    await schema.dropTable('metatags');
  },
};
