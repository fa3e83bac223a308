import type { Migration } from './migration';

/** How long a sensor may be without data, in seconds; null is learned from its data. */
export const expectIntervals: Migration = {
  name: '2026-11-28-1140-expect-intervals',
  up: (schema) => schema.addColumn('sensors', 'expected_interval', 'INT UNSIGNED NULL'),
  down: (schema) => schema.dropColumn('sensors', 'expected_interval'),
};
