import type { Migration } from './migration';

const RECEIVER = 'VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin';

/**
 * An attempt under way holds a numbered slot of its receiver; the unique key prevents that two hold the same one.
 * Deliveries without a slot wait in a table of their own. Deliveries from before have no receiver and take no slot.
 */
export const limitAttemptsPerReceiver: Migration = {
  name: '2026-11-21-0862-limit-attempts-per-receiver',
  up: async (schema) => {
    await schema.addColumn('deliveries', 'receiver', `${RECEIVER} NULL AFTER destination`);
    await schema.addColumn('deliveries', 'slot', 'SMALLINT UNSIGNED NULL AFTER claimed_until_ms');
    await schema.addColumn('deliveries', 'parked_ms', 'BIGINT NULL AFTER slot');
    await schema.addUniqueIndex('deliveries', 'deliveries_slot', ['receiver', 'slot']);
    await schema.replaceIndex('deliveries', 'deliveries_waiting', ['status', 'next_attempt_ms', 'receiver']);
    await schema.createTable(
      'parked_deliveries',
      `receiver ${RECEIVER} NOT NULL,
       priority_rank INT UNSIGNED NOT NULL,
       delivery_id BIGINT UNSIGNED NOT NULL,
       PRIMARY KEY (receiver, priority_rank, delivery_id), UNIQUE KEY parked_deliveries_delivery (delivery_id),
       CONSTRAINT parked_deliveries_delivery_fk FOREIGN KEY (delivery_id) REFERENCES deliveries (id) ON DELETE CASCADE`,
    );
    await schema.createTable(
      'ailing_receivers',
      `receiver ${RECEIVER} NOT NULL, since_ms BIGINT NOT NULL, PRIMARY KEY (receiver), KEY ailing_receivers_since (since_ms)`,
    );
  },
  down: async (schema) => {
    await schema.dropTable('ailing_receivers');
    await schema.dropTable('parked_deliveries');
    await schema.dropIndex('deliveries', 'deliveries_slot');
    await schema.dropColumn('deliveries', 'slot');
    await schema.dropColumn('deliveries', 'parked_ms');
    await schema.replaceIndex('deliveries', 'deliveries_waiting', ['status', 'next_attempt_ms']);
    await schema.dropColumn('deliveries', 'receiver');
  },
};
