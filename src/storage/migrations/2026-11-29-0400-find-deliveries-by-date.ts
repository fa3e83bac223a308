import type { Migration } from './migration';

/** The deliveries of a user in a period are found without reading the others. */
export const findDeliveriesByDate: Migration = {
  name: '2026-11-29-0400-find-deliveries-by-date',
  up: (schema) => schema.addIndex('deliveries', 'deliveries_owner_created', ['owner_id', 'created_ms']),
  down: (schema) => schema.dropIndex('deliveries', 'deliveries_owner_created'),
};
