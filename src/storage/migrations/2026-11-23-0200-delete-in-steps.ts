import type { Migration } from './migration';

/**
 * What was deleted and leaves history behind waits in a queue, accounts are closed before they are deleted, and each task of
 * the maintenance stores how far it is. The queue takes the place of `purges`, which goes with a later release.
 */
export const deleteInSteps: Migration = {
  name: '2026-11-23-0200-delete-in-steps',
  up: async (schema) => {
    await schema.createTable(
      'maintenance_cursors',
      `name VARCHAR(64) NOT NULL,
       position BIGINT UNSIGNED NOT NULL DEFAULT 0,
       lease BIGINT UNSIGNED NULL,
       lease_until_ms BIGINT NOT NULL DEFAULT 0,
       PRIMARY KEY (name)`,
    );
    await schema.createTable(
      'purge_queue',
      `id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
       kind VARCHAR(16) NOT NULL,
       thing_id BIGINT UNSIGNED NOT NULL,
       created_ms BIGINT NOT NULL,
       retry_at_ms BIGINT NOT NULL DEFAULT 0,
       PRIMARY KEY (id), UNIQUE KEY purge_queue_thing (kind, thing_id)`,
    );
    await schema.addColumn('users', 'closed_ms', 'BIGINT NULL');
    await schema.addIndex('firings', 'firings_trigger', ['trigger_id', 'id']);
  },
  down: async (schema) => {
    await schema.dropIndex('firings', 'firings_trigger');
    await schema.dropColumn('users', 'closed_ms');
    await schema.dropTable('purge_queue');
    await schema.dropTable('maintenance_cursors');
  },
};
