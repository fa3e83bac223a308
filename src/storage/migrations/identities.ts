import type { Migration } from './migration';

/** Identities at the provider of OpenID Connect, the sessions that they opened, and the memberships that it decides. */
export const createIdentities: Migration = {
  name: '2026-11-30-1740-create-identities',
  up: async (schema) => {
    await schema.createTable('identities', IDENTITIES);
    await schema.addColumn('sessions', 'identity_id', 'BIGINT UNSIGNED NULL');
    await schema.addIndex('sessions', 'sessions_identity', ['identity_id']);
    await schema.addColumn('group_users', 'is_provided', 'BOOLEAN NOT NULL DEFAULT FALSE');
  },
  down: async (schema) => {
    await schema.dropColumn('group_users', 'is_provided');
    await schema.dropIndex('sessions', 'sessions_identity');
    await schema.dropColumn('sessions', 'identity_id');
    await schema.dropTable('identities');
  },
};

const IDENTITIES = `
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  user_id BIGINT UNSIGNED NOT NULL,
  issuer VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  subject VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  name VARCHAR(255) NOT NULL,
  created_ms BIGINT NOT NULL,
  used_ms BIGINT NULL,
  PRIMARY KEY (id),
  UNIQUE KEY identities_subject (issuer, subject),
  KEY identities_user (user_id, id),
  CONSTRAINT identities_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE`;
