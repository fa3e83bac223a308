import type { Migration } from './migration';

/** The former owners of deleted things, so that the purge serves them round-robin. */
export const sharePurge: Migration = {
  name: '2026-11-28-1021-share-purge',
  up: async (schema) => {
    // 0: of a release that did not record them.
    await schema.addColumn('purge_queue', 'owner_id', 'BIGINT UNSIGNED NOT NULL DEFAULT 0');
    await schema.addIndex('purge_queue', 'purge_queue_owner', ['owner_id', 'retry_at_ms']);
  },
  down: async (schema) => {
    await schema.dropIndex('purge_queue', 'purge_queue_owner');
    await schema.dropColumn('purge_queue', 'owner_id');
  },
};
