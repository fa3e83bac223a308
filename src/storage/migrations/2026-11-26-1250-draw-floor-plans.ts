import type { Migration } from './migration';

/** Pictures behind the outlines of environments, and the positions of sensors on them. */
export const drawFloorPlans: Migration = {
  name: '2026-11-26-1250-draw-floor-plans',
  up: async (schema) => {
    await schema.createTable(
      'floor_plans',
      `environment_id BIGINT UNSIGNED NOT NULL,
       type VARCHAR(16) CHARACTER SET ascii NOT NULL,
       image MEDIUMBLOB NOT NULL,
       image_bytes INT UNSIGNED NOT NULL,
       pixel_width SMALLINT UNSIGNED NOT NULL,
       pixel_height SMALLINT UNSIGNED NOT NULL,
       position VARCHAR(255) NOT NULL,
       width DOUBLE NOT NULL,
       rotation DOUBLE NOT NULL,
       changed_ms BIGINT NOT NULL,
       PRIMARY KEY (environment_id),
       CONSTRAINT floor_plans_environment_fk FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE`,
    );
    await schema.addColumn('environment_sensors', 'position', "VARCHAR(255) NOT NULL DEFAULT ''");
  },
  down: async (schema) => {
    await schema.dropColumn('environment_sensors', 'position');
    await schema.dropTable('floor_plans');
  },
};
