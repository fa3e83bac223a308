import type { Migration } from './migration';

/** A value of 64 KB can occur several times in the variables of a firing and in the text of a delivery. */
export const widenTexts: Migration = {
  name: '2026-11-21-0890-widen-texts',
  up: async (schema) => {
    await schema.modifyColumn('firings', 'variables', 'MEDIUMTEXT NOT NULL');
    await schema.modifyColumn('deliveries', 'text', 'MEDIUMTEXT NOT NULL');
  },
  down: async (schema) => {
    await schema.modifyColumn('deliveries', 'text', 'TEXT NOT NULL');
    await schema.modifyColumn('firings', 'variables', 'TEXT NOT NULL');
  },
};
