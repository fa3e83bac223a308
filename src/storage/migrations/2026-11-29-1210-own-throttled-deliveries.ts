import type { Migration } from './migration';

/** The owners of throttled deliveries. Processes of the release before write 0. */
export const ownThrottledDeliveries: Migration = {
  name: '2026-11-29-1210-own-throttled-deliveries',
  up: async (schema) => {
    await schema.addColumn('parked_deliveries', 'owner_id', 'BIGINT UNSIGNED NOT NULL DEFAULT 0');
    await schema.changeRows(
      'UPDATE parked_deliveries p JOIN deliveries d ON d.id = p.delivery_id SET p.owner_id = d.owner_id',
    );
    await schema.addIndex('parked_deliveries', 'parked_deliveries_owner', [
      'receiver',
      'owner_id',
      'priority_rank',
      'delivery_id',
    ]);
  },
  down: async (schema) => {
    await schema.dropIndex('parked_deliveries', 'parked_deliveries_owner');
    await schema.dropColumn('parked_deliveries', 'owner_id');
  },
};
