import type { Migration } from './migration';

/** Training jobs: long ranges of time from which services learn. */
export const createLearnings: Migration = {
  name: '2026-11-21-0870-create-learnings',
  up: async (schema) => {
    await schema.createTable(
      'learnings',
      `id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
       service_id BIGINT UNSIGNED NOT NULL,
       label VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
       start_ms BIGINT NOT NULL,
       end_ms BIGINT NOT NULL,
       points BIGINT NOT NULL,
       points_read BIGINT NOT NULL DEFAULT 0,
       state LONGTEXT NULL,
       status VARCHAR(16) NOT NULL DEFAULT 'pending',
       error TEXT NULL,
       created_ms BIGINT NOT NULL,
       finished_ms BIGINT NULL,
       PRIMARY KEY (id), KEY learnings_service (service_id, status, id), KEY learnings_status (status, service_id),
       CONSTRAINT learnings_service_fk FOREIGN KEY (service_id) REFERENCES services (id) ON DELETE CASCADE`,
    );
  },
  down: async (schema) => {
    await schema.dropTable('learnings');
  },
};
