import type { Migration } from './migration';

/**
 * The latest points of sensor triggers that are not in their rows yet: a row for each turn and partition. The newest date of the
 * journal and of the row of a sensor trigger counts.
 */
export const createStateJournal: Migration = {
  name: '2026-11-30-0001-create-state-journal',
  up: (schema) =>
    schema.createTable(
      'state_journal',
      `id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
       partition_no INT UNSIGNED NOT NULL,
       partition_count INT UNSIGNED NOT NULL,
       content MEDIUMTEXT NOT NULL,
       PRIMARY KEY (id),
       KEY state_journal_partition (partition_count, partition_no)`,
    ),
  down: (schema) => schema.dropTable('state_journal'),
};
