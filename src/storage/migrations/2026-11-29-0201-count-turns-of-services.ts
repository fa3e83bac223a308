import type { Migration } from './migration';

/** Raised by each turn that computes a service, and by each change of who listens to its outputs: on a cluster, one of two at once is refused. */
export const countTurnsOfServices: Migration = {
  name: '2026-11-29-0201-count-turns-of-services',
  up: (schema) => schema.addColumn('services', 'version', 'BIGINT UNSIGNED NOT NULL DEFAULT 0'),
  down: (schema) => schema.dropColumn('services', 'version'),
};
