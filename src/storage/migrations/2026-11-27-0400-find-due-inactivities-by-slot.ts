import type { Migration } from './migration';

const SLOT = 'MOD(sensor_id, 64)';

/**
 * Due inactivities of a partition are found by an index, however many partitions there are. A default and not a generated
 * column: MySQL allows none of these on a column whose foreign key cascades.
 */
export const findDueInactivitiesBySlot: Migration = {
  name: '2026-11-27-0400-find-due-inactivities-by-slot',
  up: async (schema) => {
    await schema.addColumn('sensor_triggers', 'due_slot', `TINYINT UNSIGNED NOT NULL DEFAULT (${SLOT})`);
    await schema.changeRows(`UPDATE sensor_triggers SET due_slot = ${SLOT} WHERE due_slot <> ${SLOT}`);
    await schema.addIndex('sensor_triggers', 'sensor_triggers_due_slot', ['due_slot', 'due_at_ms']);
    await schema.dropIndex('sensor_triggers', 'sensor_triggers_due');
  },
  down: async (schema) => {
    await schema.addIndex('sensor_triggers', 'sensor_triggers_due', ['due_at_ms']);
    await schema.dropIndex('sensor_triggers', 'sensor_triggers_due_slot');
    await schema.dropColumn('sensor_triggers', 'due_slot');
  },
};
