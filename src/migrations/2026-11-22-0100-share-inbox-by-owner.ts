import type { Migration } from './migration';

/** A turn takes rows of each owner: it has to find whose rows wait. */
export const shareInboxByOwner: Migration = {
  name: '2026-11-22-0100-share-inbox-by-owner',
  up: async (run) => {
    await run('ALTER TABLE inbox ADD COLUMN owner_id BIGINT UNSIGNED NOT NULL DEFAULT 0 AFTER sensor_id');
    await run('ALTER TABLE inbox ADD KEY inbox_owner (partition_no, owner_id, id)');
    await run('UPDATE inbox i JOIN sensors s ON s.id = i.sensor_id SET i.owner_id = s.owner_id WHERE i.owner_id = 0');
  },
  down: async (run) => {
    await run('ALTER TABLE inbox DROP KEY inbox_owner');
    await run('ALTER TABLE inbox DROP COLUMN owner_id');
  },
};
