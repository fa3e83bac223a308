import type { Migration } from './migration';

/** Nanoseconds from the date of a point to the time that its sender gave. Null where it is the date. */
export const keepExactTimes: Migration = {
  name: '2026-11-28-1120-keep-exact-times',
  up: (schema) => schema.addColumn('data_points', 'below_ns', 'BIGINT NULL'),
  down: (schema) => schema.dropColumn('data_points', 'below_ns'),
};
