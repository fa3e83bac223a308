import type { Migration } from './migration';

/** When the clock decides on the condition of a sensor trigger, and two fields of triggers that delay the end of an episode. */
export const addConditionDueTimes: Migration = {
  name: '2026-11-26-1100-add-condition-due-times',
  up: async (schema) => {
    await schema.addColumn('triggers', 'resolve_expression', 'TEXT NULL');
    await schema.addColumn('triggers', 'keep_firing_for', 'INT UNSIGNED NOT NULL DEFAULT 0');
    await schema.addColumn('sensor_triggers', 'clear_since_ms', 'BIGINT NULL');
    await schema.addColumn('sensor_triggers', 'condition_due_ms', 'BIGINT NULL');
    await schema.addIndex('sensor_triggers', 'sensor_triggers_condition_due', ['due_slot', 'condition_due_ms']);
    // Alerts that are pending already fire when their hold is over.
    await schema.changeRows(
      `UPDATE sensor_triggers st JOIN triggers t ON t.id = st.trigger_id
       SET st.condition_due_ms = st.pending_since_ms + t.hold * 1000
       WHERE st.pending_since_ms IS NOT NULL AND st.condition_due_ms IS NULL`,
    );
  },
  down: async (schema) => {
    await schema.dropIndex('sensor_triggers', 'sensor_triggers_condition_due');
    await schema.dropColumn('sensor_triggers', 'condition_due_ms');
    await schema.dropColumn('sensor_triggers', 'clear_since_ms');
    await schema.dropColumn('triggers', 'keep_firing_for');
    await schema.dropColumn('triggers', 'resolve_expression');
  },
};
