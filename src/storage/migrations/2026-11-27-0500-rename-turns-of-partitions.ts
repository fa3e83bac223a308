import type { Migration } from './migration';

/** Changes of what turns remember raise it, too. */
export const renameTurnsOfPartitions: Migration = {
  name: '2026-11-27-0500-rename-turns-of-partitions',
  up: (schema) => schema.renameColumn('partitions', 'turns', 'version'),
  down: (schema) => schema.renameColumn('partitions', 'version', 'turns'),
};
