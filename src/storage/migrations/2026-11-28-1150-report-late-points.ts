import type { Migration } from './migration';

/** The late points of sensor triggers, whether a trigger reports them, and firings that were found in them. */
export const reportLatePoints: Migration = {
  name: '2026-11-28-1150-report-late-points',
  up: async (schema) => {
    await schema.createTable(
      'late_points',
      `sensor_trigger_id BIGINT UNSIGNED NOT NULL,
       points INT UNSIGNED NOT NULL,
       since_ms BIGINT NOT NULL,
       from_ms BIGINT NOT NULL,
       until_ms BIGINT NOT NULL,
       due_ms BIGINT NULL,
       PRIMARY KEY (sensor_trigger_id),
       KEY late_points_due (due_ms),
       CONSTRAINT late_points_sensor_trigger_fk FOREIGN KEY (sensor_trigger_id) REFERENCES sensor_triggers (id) ON DELETE CASCADE`,
    );
    await schema.addColumn('triggers', 'late', "VARCHAR(8) NOT NULL DEFAULT 'ignore'");
    await schema.addColumn('firings', 'reported_ms', 'BIGINT NULL');
  },
  down: async (schema) => {
    await schema.dropColumn('firings', 'reported_ms');
    await schema.dropColumn('triggers', 'late');
    await schema.dropTable('late_points');
  },
};
