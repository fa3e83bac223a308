import type { Migration } from './migration';

// A shared sensor references the membership of the member who shared it, and leaves the group with that member.
const TABLES: readonly (readonly [name: string, definition: string])[] = [
  [
    'user_groups',
    `id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
     name VARCHAR(255) NOT NULL,
     email VARCHAR(255) NOT NULL DEFAULT '',
     username VARCHAR(255) NOT NULL DEFAULT '',
     mobile VARCHAR(255) NOT NULL DEFAULT '',
     description TEXT NOT NULL,
     public BOOLEAN NOT NULL DEFAULT FALSE,
     hidden BOOLEAN NOT NULL DEFAULT FALSE,
     anonymous BOOLEAN NOT NULL DEFAULT FALSE,
     password_hash VARCHAR(255) NULL,
     access_password_hash VARCHAR(255) NULL,
     required_sensors MEDIUMTEXT NOT NULL,
     optional_sensors MEDIUMTEXT NOT NULL,
     default_list_users BOOLEAN NOT NULL DEFAULT TRUE,
     default_add_users BOOLEAN NOT NULL DEFAULT FALSE,
     default_remove_users BOOLEAN NOT NULL DEFAULT FALSE,
     default_list_sensors BOOLEAN NOT NULL DEFAULT TRUE,
     default_add_sensors BOOLEAN NOT NULL DEFAULT TRUE,
     default_remove_sensors BOOLEAN NOT NULL DEFAULT FALSE,
     required_show_first_name BOOLEAN NOT NULL DEFAULT TRUE,
     required_show_surname BOOLEAN NOT NULL DEFAULT TRUE,
     required_show_email BOOLEAN NOT NULL DEFAULT FALSE,
     required_show_phone_number BOOLEAN NOT NULL DEFAULT FALSE,
     required_show_username BOOLEAN NOT NULL DEFAULT FALSE,
     required_show_id BOOLEAN NOT NULL DEFAULT TRUE,
     required_show_zipcode BOOLEAN NOT NULL DEFAULT TRUE,
     required_show_address BOOLEAN NOT NULL DEFAULT TRUE,
     required_show_country BOOLEAN NOT NULL DEFAULT TRUE,
     created_ms BIGINT NOT NULL,
     PRIMARY KEY (id), KEY user_groups_listed (hidden, public, id)`,
  ],
  [
    'group_users',
    `group_id BIGINT UNSIGNED NOT NULL,
     user_id BIGINT UNSIGNED NOT NULL,
     accepted BOOLEAN NOT NULL,
     list_users BOOLEAN NOT NULL,
     add_users BOOLEAN NOT NULL,
     remove_users BOOLEAN NOT NULL,
     list_sensors BOOLEAN NOT NULL,
     add_sensors BOOLEAN NOT NULL,
     remove_sensors BOOLEAN NOT NULL,
     edit_group BOOLEAN NOT NULL,
     show_first_name BOOLEAN NOT NULL,
     show_surname BOOLEAN NOT NULL,
     show_email BOOLEAN NOT NULL,
     show_phone_number BOOLEAN NOT NULL,
     show_username BOOLEAN NOT NULL,
     show_id BOOLEAN NOT NULL,
     offered_sensors TEXT NOT NULL,
     created_ms BIGINT NOT NULL,
     PRIMARY KEY (group_id, user_id), KEY group_users_user (user_id, group_id),
     CONSTRAINT group_users_group_fk FOREIGN KEY (group_id) REFERENCES user_groups (id) ON DELETE CASCADE,
     CONSTRAINT group_users_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE`,
  ],
  [
    'group_sensors',
    `group_id BIGINT UNSIGNED NOT NULL,
     sensor_id BIGINT UNSIGNED NOT NULL,
     user_id BIGINT UNSIGNED NOT NULL,
     created_ms BIGINT NOT NULL,
     PRIMARY KEY (group_id, sensor_id), KEY group_sensors_sensor (sensor_id, group_id), KEY group_sensors_member (group_id, user_id),
     CONSTRAINT group_sensors_member_fk FOREIGN KEY (group_id, user_id) REFERENCES group_users (group_id, user_id) ON DELETE CASCADE,
     CONSTRAINT group_sensors_sensor_fk FOREIGN KEY (sensor_id) REFERENCES sensors (id) ON DELETE CASCADE`,
  ],
];

/** Groups, their members with rights and shown details, and the sensors that members share into them. */
export const createGroups: Migration = {
  name: '2026-11-21-0800-create-groups',
  up: async (schema) => {
    for (const [name, definition] of TABLES) await schema.createTable(name, definition);
  },
  down: async (schema) => {
    for (const [name] of [...TABLES].reverse()) await schema.dropTable(name);
  },
};
