import type { Migration } from './migration';

/** How many days the points of a sensor are kept; null is as long as on the platform. */
export const keepPointsPerSensor: Migration = {
  name: '2026-11-28-0500-keep-points-per-sensor',
  up: async (schema) => {
    await schema.addColumn('sensors', 'retention_days', 'SMALLINT UNSIGNED NULL');
    await schema.addIndex('sensors', 'sensors_retention', ['retention_days', 'id']);
  },
  down: async (schema) => {
    await schema.dropIndex('sensors', 'sensors_retention');
    await schema.dropColumn('sensors', 'retention_days');
  },
};
