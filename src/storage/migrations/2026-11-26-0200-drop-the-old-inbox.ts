import type { Migration } from './migration';

/** The table is empty: its rows are in `inbox_batches`. */
export const dropTheOldInbox: Migration = {
  name: '2026-11-26-0200-drop-the-old-inbox',
  up: (schema) => schema.dropTable('inbox'),
  down: (schema) =>
    schema.createTable(
      'inbox',
      `id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
       partition_no INT UNSIGNED NOT NULL,
       sensor_id BIGINT UNSIGNED NOT NULL,
       owner_id BIGINT UNSIGNED NOT NULL DEFAULT 0,
       date_ms BIGINT NOT NULL,
       value TEXT NOT NULL,
       received_ms BIGINT NOT NULL,
       stored_ms BIGINT NOT NULL,
       PRIMARY KEY (id), KEY inbox_partition (partition_no, id), KEY inbox_owner (partition_no, owner_id, id)`,
    ),
};
