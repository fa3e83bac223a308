import type { Migration } from './migration';

/** The sensors that each virtual sensor uses. */
export const createConnectedSensors: Migration = {
  name: '2026-11-21-0825-create-connected-sensors',
  up: async (schema) => {
    await schema.createTable(
      'connected_sensors',
      `sensor_id BIGINT UNSIGNED NOT NULL,
       used_sensor_id BIGINT UNSIGNED NOT NULL,
       created_ms BIGINT NOT NULL,
       PRIMARY KEY (sensor_id, used_sensor_id), KEY connected_sensors_used (used_sensor_id),
       CONSTRAINT connected_sensors_sensor_fk FOREIGN KEY (sensor_id) REFERENCES sensors (id) ON DELETE CASCADE,
       CONSTRAINT connected_sensors_used_fk FOREIGN KEY (used_sensor_id) REFERENCES sensors (id) ON DELETE CASCADE`,
    );
  },
  down: async (schema) => {
    await schema.dropTable('connected_sensors');
  },
};
