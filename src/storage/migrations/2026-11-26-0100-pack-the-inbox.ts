import type { Migration } from './migration';

/** A row of the inbox holds all points that one commit brought to a partition for one owner, instead of one. */
export const packTheInbox: Migration = {
  name: '2026-11-26-0100-pack-the-inbox',
  up: async (schema) => {
    await schema.createTable(
      'inbox_batches',
      `id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
       partition_no INT UNSIGNED NOT NULL,
       owner_id BIGINT UNSIGNED NOT NULL,
       stored_ms BIGINT NOT NULL,
       points INT UNSIGNED NOT NULL,
       bytes INT UNSIGNED NOT NULL,
       sensor_ids MEDIUMTEXT NOT NULL,
       content MEDIUMTEXT NOT NULL,
       PRIMARY KEY (id),
       KEY inbox_batches_partition (partition_no, stored_ms),
       KEY inbox_batches_owner (partition_no, owner_id, stored_ms)`,
    );
    await schema.addColumn('partitions', 'turns', 'BIGINT UNSIGNED NOT NULL DEFAULT 0');
  },
  down: async (schema) => {
    await schema.dropColumn('partitions', 'turns');
    await schema.dropTable('inbox_batches');
  },
};
