import type { Migration } from './migration';

/** The units of a sensor's values. */
export const giveSensorsUnits: Migration = {
  name: '2026-11-26-1201-give-sensors-units',
  up: async (schema) => {
    await schema.addColumn('sensors', 'unit', "VARCHAR(32) NOT NULL DEFAULT ''");
    // JSON: the unit of each field.
    await schema.addColumn('sensors', 'field_units', 'TEXT NULL');
  },
  down: async (schema) => {
    await schema.dropColumn('sensors', 'field_units');
    await schema.dropColumn('sensors', 'unit');
  },
};
