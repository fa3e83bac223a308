import type { Migration } from './migration';

/** Invitations, and which shares their reader has not seen yet. Shares from before count as seen. */
export const createInvitations: Migration = {
  name: '2026-11-30-0330-create-invitations',
  up: async (schema) => {
    await schema.createTable('invitations', INVITATIONS);
    await schema.addColumn('sensor_users', 'unseen', 'BOOLEAN NOT NULL DEFAULT FALSE');
    await schema.addIndex('sensor_users', 'sensor_users_unseen', ['user_id', 'unseen', 'created_ms']);
  },
  down: async (schema) => {
    await schema.dropIndex('sensor_users', 'sensor_users_unseen');
    await schema.dropColumn('sensor_users', 'unseen');
    await schema.dropTable('invitations');
  },
};

// To a group or a sensor; for a user, or for everyone who has the link with the token.
const INVITATIONS = `
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  group_id BIGINT UNSIGNED NULL,
  sensor_id BIGINT UNSIGNED NULL,
  inviter_id BIGINT UNSIGNED NOT NULL,
  user_id BIGINT UNSIGNED NULL,
  token_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
  uses_left INT UNSIGNED NOT NULL,
  declined BOOLEAN NOT NULL DEFAULT FALSE,
  created_ms BIGINT NOT NULL,
  expires_ms BIGINT NOT NULL,
  PRIMARY KEY (id),
  UNIQUE KEY invitations_token_hash (token_hash),
  UNIQUE KEY invitations_group (group_id, user_id),
  UNIQUE KEY invitations_sensor (sensor_id, user_id),
  KEY invitations_user (user_id, id),
  KEY invitations_inviter (inviter_id, user_id),
  KEY invitations_expires (expires_ms),
  CONSTRAINT invitations_group_fk FOREIGN KEY (group_id) REFERENCES user_groups (id) ON DELETE CASCADE,
  CONSTRAINT invitations_sensor_fk FOREIGN KEY (sensor_id) REFERENCES sensors (id) ON DELETE CASCADE,
  CONSTRAINT invitations_inviter_fk FOREIGN KEY (inviter_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT invitations_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE`;
