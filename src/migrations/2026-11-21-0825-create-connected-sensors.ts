import type { Migration } from './migration';

/** Which sensors a virtual sensor uses. */
export const createConnectedSensors: Migration = {
  name: '2026-11-21-0825-create-connected-sensors',
  up: async (run) => {
    await run(
      `CREATE TABLE IF NOT EXISTS connected_sensors (
         sensor_id BIGINT UNSIGNED NOT NULL,
         used_sensor_id BIGINT UNSIGNED NOT NULL,
         created_ms BIGINT NOT NULL,
         PRIMARY KEY (sensor_id, used_sensor_id), KEY connected_sensors_used (used_sensor_id),
         CONSTRAINT connected_sensors_sensor_fk FOREIGN KEY (sensor_id) REFERENCES sensors (id) ON DELETE CASCADE,
         CONSTRAINT connected_sensors_used_fk FOREIGN KEY (used_sensor_id) REFERENCES sensors (id) ON DELETE CASCADE
       ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
    );
  },
  down: async (run) => {
    await run('DROP TABLE IF EXISTS connected_sensors');
  },
};
