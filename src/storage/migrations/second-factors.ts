import type { Migration } from './migration';

export const createSecondFactors: Migration = {
  name: '2026-11-30-1810-create-second-factors',
  up: async (schema) => {
    await schema.createTable('totp_secrets', SECRETS);
    await schema.createTable('recovery_codes', CODES);
  },
  down: async (schema) => {
    await schema.dropTable('recovery_codes');
    await schema.dropTable('totp_secrets');
  },
};

const SECRETS = `
  user_id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
  secret VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  created_ms BIGINT NOT NULL,
  confirmed_ms BIGINT NULL,
  used_ms BIGINT NULL,
  last_step BIGINT NOT NULL DEFAULT 0,
  CONSTRAINT totp_secrets_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE`;

const CODES = `
  user_id BIGINT UNSIGNED NOT NULL,
  code_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  PRIMARY KEY (user_id, code_hash),
  CONSTRAINT recovery_codes_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE`;
