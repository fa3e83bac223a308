import type { Migration } from './migration';

/** The time zone of the functions of time in a trigger's expression, and how urgent its firings are. */
export const addTimezoneAndSeverity: Migration = {
  name: '2026-11-26-1101-add-timezone-and-severity',
  up: async (schema) => {
    await schema.addColumn('triggers', 'timezone', "VARCHAR(64) NOT NULL DEFAULT 'UTC'");
    await schema.addColumn('triggers', 'severity', "VARCHAR(8) NOT NULL DEFAULT 'warning'");
  },
  down: async (schema) => {
    await schema.dropColumn('triggers', 'severity');
    await schema.dropColumn('triggers', 'timezone');
  },
};
