import type { Migration } from './migration';

const IS_OFFERED = 'JSON_CONTAINS(group_users.offered_sensors, CAST(s.id AS CHAR))';
const IS_ASKED = `(JSON_CONTAINS(g.required_sensors, JSON_QUOTE(s.name)) OR JSON_CONTAINS(g.optional_sensors, JSON_QUOTE(s.name)))`;
const IS_NAMESAKE_OFFERED = `EXISTS (SELECT 1 FROM sensors o WHERE o.owner_id = s.owner_id AND BINARY o.name = BINARY s.name
  AND JSON_CONTAINS(group_users.offered_sensors, CAST(o.id AS CHAR)))`;

/**
 * What a group asked for, and what users then offered, stays the same while they wait. Users who wait already have asked
 * under the present demands: what these take of their sensors is added to what they offered.
 */
export const fixSensorsWhenUsersAsk: Migration = {
  name: '2026-11-25-0310-fix-sensors-when-users-ask',
  up: async (schema) => {
    await schema.createTable(
      'former_sensor_demands',
      `group_id BIGINT UNSIGNED NOT NULL,
       version INT UNSIGNED NOT NULL,
       required_sensors MEDIUMTEXT NOT NULL,
       optional_sensors MEDIUMTEXT NOT NULL,
       PRIMARY KEY (group_id, version),
       CONSTRAINT former_sensor_demands_group_fk FOREIGN KEY (group_id) REFERENCES user_groups (id) ON DELETE CASCADE`,
    );
    await schema.addColumn('user_groups', 'demands_version', 'INT UNSIGNED NOT NULL DEFAULT 1');
    await schema.addColumn('group_users', 'demands_version', 'INT UNSIGNED NOT NULL DEFAULT 1');
    await schema.modifyColumn('group_users', 'offered_sensors', 'MEDIUMTEXT NOT NULL');
    await schema.changeRows(
      `UPDATE group_users SET offered_sensors = COALESCE(
         (SELECT JSON_ARRAYAGG(s.id) FROM sensors s JOIN user_groups g ON g.id = group_users.group_id
          WHERE s.owner_id = group_users.user_id AND (${IS_OFFERED} OR (${IS_ASKED} AND NOT ${IS_NAMESAKE_OFFERED}))), '[]')
       WHERE accepted = FALSE`,
    );
  },
  down: async (schema) => {
    await schema.modifyColumn('group_users', 'offered_sensors', 'TEXT NOT NULL');
    await schema.dropColumn('group_users', 'demands_version');
    await schema.dropColumn('user_groups', 'demands_version');
    await schema.dropTable('former_sensor_demands');
  },
};
