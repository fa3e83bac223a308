import type { Migration } from './migration';

/**
 * Keys of devices and programs. `sensors` is a JSON list of ids, null where the key is not limited: in the row itself, so that a look-up
 * reads one row, and so that a key whose sensors are deleted reaches nothing instead of everything.
 */
export const createKeys: Migration = {
  name: '2026-11-27-0100-create-keys',
  up: (schema) =>
    schema.createTable(
      'api_keys',
      `id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
       owner_id BIGINT UNSIGNED NOT NULL,
       name VARCHAR(255) NOT NULL,
       secret_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
       hint CHAR(4) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
       scopes VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
       sensors TEXT CHARACTER SET ascii COLLATE ascii_bin NULL,
       created_ms BIGINT NOT NULL,
       expires_ms BIGINT NULL,
       used_ms BIGINT NULL,
       PRIMARY KEY (id), UNIQUE KEY api_keys_secret (secret_hash), KEY api_keys_owner (owner_id),
       CONSTRAINT api_keys_owner_fk FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE`,
    ),
  down: (schema) => schema.dropTable('api_keys'),
};
