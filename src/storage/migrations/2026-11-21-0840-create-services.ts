import type { Migration } from './migration';

/** Running services, each with the id of the virtual sensor that it writes to, and their input sensors. */
export const createServices: Migration = {
  name: '2026-11-21-0840-create-services',
  up: async (schema) => {
    await schema.createTable(
      'services',
      `id BIGINT UNSIGNED NOT NULL,
       name VARCHAR(64) NOT NULL,
       settings TEXT NOT NULL,
       memory MEDIUMTEXT NOT NULL,
       model LONGTEXT NULL,
       last_error VARCHAR(1000) NULL,
       created_ms BIGINT NOT NULL,
       PRIMARY KEY (id),
       CONSTRAINT services_sensor_fk FOREIGN KEY (id) REFERENCES sensors (id) ON DELETE CASCADE`,
    );
    await schema.createTable(
      'service_inputs',
      `service_id BIGINT UNSIGNED NOT NULL,
       sensor_id BIGINT UNSIGNED NOT NULL,
       data_fields TEXT NOT NULL,
       PRIMARY KEY (service_id, sensor_id), KEY service_inputs_sensor (sensor_id),
       CONSTRAINT service_inputs_service_fk FOREIGN KEY (service_id) REFERENCES services (id) ON DELETE CASCADE,
       CONSTRAINT service_inputs_sensor_fk FOREIGN KEY (sensor_id) REFERENCES sensors (id) ON DELETE CASCADE`,
    );
  },
  down: async (schema) => {
    await schema.dropTable('service_inputs');
    await schema.dropTable('services');
  },
};
