import type { Migration } from './migration';

/** The alerts of a trigger may hold the deliveries of another one. */
export const addTriggerDependencies: Migration = {
  name: '2026-11-30-1330-add-trigger-dependencies',
  up: async (schema) => {
    await schema.addColumn('triggers', 'parent_id', 'BIGINT UNSIGNED NULL');
    await schema.addColumn('triggers', 'parent_label', 'VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NULL');
    await schema.addColumn('triggers', 'parent_wait_s', 'INT UNSIGNED NOT NULL DEFAULT 0');
    await schema.addIndex('triggers', 'triggers_parent', ['parent_id']);
    await schema.addColumn('firings', 'is_dependent', 'BOOLEAN NOT NULL DEFAULT FALSE');
    await schema.addColumn('firings', 'held_by', 'BIGINT UNSIGNED NULL');
    await schema.addColumn('firings', 'holds', 'BOOLEAN NOT NULL DEFAULT FALSE');
    await schema.addIndex('firings', 'firings_held', ['held_by']);
  },
  down: async (schema) => {
    await schema.dropIndex('firings', 'firings_held');
    for (const column of ['holds', 'held_by', 'is_dependent']) await schema.dropColumn('firings', column);
    await schema.dropIndex('triggers', 'triggers_parent');
    for (const column of ['parent_wait_s', 'parent_label', 'parent_id']) await schema.dropColumn('triggers', column);
  },
};
