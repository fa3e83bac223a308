import type { Migration } from './migration';

/** Why the late points of a sensor trigger could not be reported; null if nothing went wrong. */
export const recordUnreportedPoints: Migration = {
  name: '2026-11-28-1171-record-unreported-points',
  up: (schema) => schema.addColumn('late_points', 'error', 'VARCHAR(1000) NULL'),
  down: (schema) => schema.dropColumn('late_points', 'error'),
};
