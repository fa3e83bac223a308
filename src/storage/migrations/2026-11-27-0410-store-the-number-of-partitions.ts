import type { Migration } from './migration';

/**
 * The number of partitions is data: in the row of each partition, where every turn compares it, and in each batch of the
 * inbox, so that those of another number are found. 0 is none, so what waits is moved by the first turn.
 */
export const storeTheNumberOfPartitions: Migration = {
  name: '2026-11-27-0410-store-the-number-of-partitions',
  up: async (schema) => {
    await schema.addColumn('partitions', 'partition_count', 'SMALLINT UNSIGNED NOT NULL DEFAULT 0');
    await schema.addColumn('inbox_batches', 'partition_count', 'SMALLINT UNSIGNED NOT NULL DEFAULT 0');
    await schema.addIndex('inbox_batches', 'inbox_batches_partition_count', ['partition_count']);
  },
  down: async (schema) => {
    await schema.dropIndex('inbox_batches', 'inbox_batches_partition_count');
    await schema.dropColumn('inbox_batches', 'partition_count');
    await schema.dropColumn('partitions', 'partition_count');
  },
};
