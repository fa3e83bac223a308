import type { Migration } from './migration';

/** Values of 64 KB come into the variables of a firing and into the text of a delivery, some of them twice. */
export const widenTexts: Migration = {
  name: '2026-11-21-0890-widen-texts',
  up: async (run) => {
    await run('ALTER TABLE firings MODIFY COLUMN variables MEDIUMTEXT NOT NULL');
    await run('ALTER TABLE deliveries MODIFY COLUMN text MEDIUMTEXT NOT NULL');
  },
  down: async (run) => {
    await run('ALTER TABLE deliveries MODIFY COLUMN text TEXT NOT NULL');
    await run('ALTER TABLE firings MODIFY COLUMN variables TEXT NOT NULL');
  },
};
