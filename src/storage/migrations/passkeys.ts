import type { Migration } from './migration';

export const createPasskeys: Migration = {
  name: '2026-11-30-1820-create-passkeys',
  up: async (schema) => {
    await schema.createTable('passkeys', PASSKEYS);
  },
  down: async (schema) => {
    await schema.dropTable('passkeys');
  },
};

const PASSKEYS = `
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id BIGINT UNSIGNED NOT NULL,
  name VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  credential_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  credential_id VARCHAR(1400) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  public_key VARCHAR(2000) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  transports VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  counter BIGINT NOT NULL,
  created_ms BIGINT NOT NULL,
  used_ms BIGINT NULL,
  UNIQUE KEY passkeys_credential (credential_hash),
  KEY passkeys_user (user_id, id),
  CONSTRAINT passkeys_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE`;
