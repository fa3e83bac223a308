import type { Migration } from './migration';

const OPTIONS = 'ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci';

/**
 * Environments, each in one other at most, and the sensors in them. A shared sensor may be in an environment of each
 * user who sees it, and in one of every user at most: that is the primary key.
 */
export const createEnvironments: Migration = {
  name: '2026-11-21-0830-create-environments',
  up: async (run) => {
    await run(
      `CREATE TABLE IF NOT EXISTS environments (
         id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
         owner_id BIGINT UNSIGNED NOT NULL,
         parent_id BIGINT UNSIGNED NULL,
         name VARCHAR(255) NOT NULL,
         floors INT UNSIGNED NULL,
         gps_outline TEXT NOT NULL,
         position VARCHAR(255) NOT NULL DEFAULT '',
         created_ms BIGINT NOT NULL,
         PRIMARY KEY (id), KEY environments_owner (owner_id, id), KEY environments_parent (parent_id, id),
         CONSTRAINT environments_owner_fk FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE,
         CONSTRAINT environments_parent_fk FOREIGN KEY (parent_id) REFERENCES environments (id) ON DELETE SET NULL
       ) ${OPTIONS}`,
    );
    await run(
      `CREATE TABLE IF NOT EXISTS environment_sensors (
         owner_id BIGINT UNSIGNED NOT NULL,
         sensor_id BIGINT UNSIGNED NOT NULL,
         environment_id BIGINT UNSIGNED NOT NULL,
         PRIMARY KEY (sensor_id, owner_id), KEY environment_sensors_environment (environment_id, sensor_id),
         CONSTRAINT environment_sensors_sensor_fk FOREIGN KEY (sensor_id) REFERENCES sensors (id) ON DELETE CASCADE,
         CONSTRAINT environment_sensors_environment_fk FOREIGN KEY (environment_id) REFERENCES environments (id)
           ON DELETE CASCADE
       ) ${OPTIONS}`,
    );
  },
  down: async (run) => {
    await run('DROP TABLE IF EXISTS environment_sensors');
    await run('DROP TABLE IF EXISTS environments');
  },
};
