import type { Migration } from './migration';

/** Disabled accounts, and what operators did. */
export const disableAccounts: Migration = {
  name: '2026-11-26-1260-disable-accounts',
  up: async (schema) => {
    await schema.addColumn('users', 'disabled_ms', 'BIGINT NULL');
    // No foreign key: an action stays when its user is gone.
    await schema.createTable(
      'operator_actions',
      `id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
       date_ms BIGINT NOT NULL,
       operator VARCHAR(255) NOT NULL,
       action VARCHAR(32) CHARACTER SET ascii NOT NULL,
       user_id BIGINT UNSIGNED NULL,
       subject VARCHAR(500) NOT NULL,
       PRIMARY KEY (id),
       KEY operator_actions_date (date_ms),
       KEY operator_actions_user (user_id, id)`,
    );
  },
  down: async (schema) => {
    await schema.dropTable('operator_actions');
    await schema.dropColumn('users', 'disabled_ms');
  },
};
