import type { Migration } from './migration';

/** Lets a turn find the owners whose rows wait in the inbox, to take some of each. */
export const shareInboxByOwner: Migration = {
  name: '2026-11-22-0100-share-inbox-by-owner',
  up: async (schema) => {
    await schema.addColumn('inbox', 'owner_id', 'BIGINT UNSIGNED NOT NULL DEFAULT 0 AFTER sensor_id');
    await schema.addIndex('inbox', 'inbox_owner', ['partition_no', 'owner_id', 'id']);
    await schema.changeRows(
      'UPDATE inbox i JOIN sensors s ON s.id = i.sensor_id SET i.owner_id = s.owner_id WHERE i.owner_id = 0',
    );
  },
  down: async (schema) => {
    await schema.dropIndex('inbox', 'inbox_owner');
    await schema.dropColumn('inbox', 'owner_id');
  },
};
