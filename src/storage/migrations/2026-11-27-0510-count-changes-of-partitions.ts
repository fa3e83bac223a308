import type { Migration } from './migration';

/** What uploads remember holds as long as nothing was changed; turns alone raise the version, too. */
export const countChangesOfPartitions: Migration = {
  name: '2026-11-27-0510-count-changes-of-partitions',
  up: (schema) => schema.addColumn('partitions', 'changes', 'BIGINT UNSIGNED NOT NULL DEFAULT 0'),
  down: (schema) => schema.dropColumn('partitions', 'changes'),
};
