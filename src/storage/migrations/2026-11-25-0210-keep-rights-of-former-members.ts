import type { Migration } from './migration';

/** The rights that users had when they left a group, or were removed from it. */
export const keepRightsOfFormerMembers: Migration = {
  name: '2026-11-25-0210-keep-rights-of-former-members',
  up: (schema) =>
    schema.createTable(
      'former_members',
      `group_id BIGINT UNSIGNED NOT NULL,
       user_id BIGINT UNSIGNED NOT NULL,
       list_users BOOLEAN NOT NULL,
       add_users BOOLEAN NOT NULL,
       remove_users BOOLEAN NOT NULL,
       list_sensors BOOLEAN NOT NULL,
       add_sensors BOOLEAN NOT NULL,
       remove_sensors BOOLEAN NOT NULL,
       edit_group BOOLEAN NOT NULL,
       PRIMARY KEY (group_id, user_id), KEY former_members_user (user_id, group_id),
       CONSTRAINT former_members_group_fk FOREIGN KEY (group_id) REFERENCES user_groups (id) ON DELETE CASCADE,
       CONSTRAINT former_members_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE`,
    ),
  down: (schema) => schema.dropTable('former_members'),
};
