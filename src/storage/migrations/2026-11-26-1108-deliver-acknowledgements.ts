import type { Migration } from './migration';

/** Requests that report an acknowledgement, for receivers that keep incidents. */
export const deliverAcknowledgements: Migration = {
  name: '2026-11-26-1108-deliver-acknowledgements',
  up: async (schema) => {
    await schema.addColumn('notifications', 'body_acknowledged', 'MEDIUMTEXT NULL');
    await schema.addColumn('notifications', 'destination_acknowledged', 'VARCHAR(2000) NULL');
    // The first firing of the acknowledged episode.
    await schema.addColumn('deliveries', 'acknowledges', 'BIGINT UNSIGNED NULL');
  },
  down: async (schema) => {
    await schema.dropColumn('deliveries', 'acknowledges');
    await schema.dropColumn('notifications', 'destination_acknowledged');
    await schema.dropColumn('notifications', 'body_acknowledged');
  },
};
