import type { Migration } from './migration';

/**
 * Environments, each within at most one other, and the sensors in them. A shared sensor can be in an environment of each
 * user who sees it, but in only one per user, as the primary key ensures.
 */
export const createEnvironments: Migration = {
  name: '2026-11-21-0830-create-environments',
  up: async (schema) => {
    await schema.createTable(
      'environments',
      `id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
       owner_id BIGINT UNSIGNED NOT NULL,
       parent_id BIGINT UNSIGNED NULL,
       name VARCHAR(255) NOT NULL,
       floors INT UNSIGNED NULL,
       gps_outline TEXT NOT NULL,
       position VARCHAR(255) NOT NULL DEFAULT '',
       created_ms BIGINT NOT NULL,
       PRIMARY KEY (id), KEY environments_owner (owner_id, id), KEY environments_parent (parent_id, id),
       CONSTRAINT environments_owner_fk FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE,
       CONSTRAINT environments_parent_fk FOREIGN KEY (parent_id) REFERENCES environments (id) ON DELETE SET NULL`,
    );
    await schema.createTable(
      'environment_sensors',
      `owner_id BIGINT UNSIGNED NOT NULL,
       sensor_id BIGINT UNSIGNED NOT NULL,
       environment_id BIGINT UNSIGNED NOT NULL,
       PRIMARY KEY (sensor_id, owner_id), KEY environment_sensors_environment (environment_id, sensor_id),
       CONSTRAINT environment_sensors_sensor_fk FOREIGN KEY (sensor_id) REFERENCES sensors (id) ON DELETE CASCADE,
       CONSTRAINT environment_sensors_environment_fk FOREIGN KEY (environment_id) REFERENCES environments (id)
         ON DELETE CASCADE`,
    );
  },
  down: async (schema) => {
    await schema.dropTable('environment_sensors');
    await schema.dropTable('environments');
  },
};
