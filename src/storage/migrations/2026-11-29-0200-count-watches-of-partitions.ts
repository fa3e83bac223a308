import type { Migration } from './migration';

/** Who begins to stream firings writes the row of each partition, and so waits for the turns under way. */
export const countWatchesOfPartitions: Migration = {
  name: '2026-11-29-0200-count-watches-of-partitions',
  up: (schema) => schema.addColumn('partitions', 'watches', 'INT UNSIGNED NOT NULL DEFAULT 0'),
  down: (schema) => schema.dropColumn('partitions', 'watches'),
};
