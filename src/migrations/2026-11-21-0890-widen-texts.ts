import type { Migration } from './migration';

/** Values of 64 KB come into the variables of a firing and into the text of a delivery, some of them twice. */
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
