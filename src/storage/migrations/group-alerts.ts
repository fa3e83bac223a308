import type { Migration } from './migration';

const RIGHTS = ['see_alerts', 'handle_alerts'] as const;

/** Members of groups see and handle alerts of each other. Nobody has the new rights. */
export const addGroupAlerts: Migration = {
  name: '2026-11-30-1800-add-group-alerts',
  up: async (schema) => {
    for (const right of RIGHTS) {
      await schema.addColumn('user_groups', `default_${right}`, 'BOOLEAN NOT NULL DEFAULT FALSE');
      for (const table of ['group_users', 'former_members']) {
        await schema.addColumn(table, right, 'BOOLEAN NOT NULL DEFAULT FALSE');
      }
    }
    await schema.addColumn('triggers', 'group_id', 'BIGINT UNSIGNED NULL');
    await schema.addIndex('triggers', 'triggers_group', ['group_id', 'owner_id']);
    await schema.addColumn('firings', 'assigned_to', 'BIGINT UNSIGNED NULL');
    await schema.addColumn('firings', 'acknowledged_person', 'VARCHAR(100) NULL');
    await schema.addColumn('notifications', 'person', 'VARCHAR(100) NULL');
    await schema.addColumn('mutes', 'created_by', 'BIGINT UNSIGNED NULL');
  },
  down: async (schema) => {
    await schema.dropColumn('mutes', 'created_by');
    await schema.dropColumn('notifications', 'person');
    for (const column of ['acknowledged_person', 'assigned_to']) await schema.dropColumn('firings', column);
    await schema.dropIndex('triggers', 'triggers_group');
    await schema.dropColumn('triggers', 'group_id');
    for (const right of RIGHTS) {
      for (const table of ['former_members', 'group_users']) await schema.dropColumn(table, right);
      await schema.dropColumn('user_groups', `default_${right}`);
    }
  },
};
