import type { Migration } from './migration';

/** The labelled windows from which services recognise states. */
export const createServiceExamples: Migration = {
  name: '2026-11-21-0850-create-service-examples',
  up: async (schema) => {
    await schema.createTable(
      'service_examples',
      `id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
       service_id BIGINT UNSIGNED NOT NULL,
       label VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
       start_ms BIGINT NOT NULL,
       end_ms BIGINT NOT NULL,
       features MEDIUMTEXT NOT NULL,
       PRIMARY KEY (id), KEY service_examples_time (service_id, start_ms), KEY service_examples_label (service_id, label, id),
       CONSTRAINT service_examples_service_fk FOREIGN KEY (service_id) REFERENCES services (id) ON DELETE CASCADE`,
    );
  },
  down: async (schema) => {
    await schema.dropTable('service_examples');
  },
};
