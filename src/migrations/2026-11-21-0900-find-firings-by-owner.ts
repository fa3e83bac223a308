import type { Migration } from './migration';

/** A user's firings go with the account, without a look at everybody's. An event always has an audience. */
export const findFiringsByOwner: Migration = {
  name: '2026-11-21-0900-find-firings-by-owner',
  up: async (run) => {
    await run('ALTER TABLE firings ADD INDEX firings_owner (owner_id)');
    await run('DELETE FROM events WHERE audience IS NULL');
    await run('ALTER TABLE events MODIFY COLUMN audience MEDIUMTEXT NOT NULL');
  },
  down: async (run) => {
    await run('ALTER TABLE events MODIFY COLUMN audience MEDIUMTEXT NULL');
    await run('ALTER TABLE firings DROP INDEX firings_owner');
  },
};
