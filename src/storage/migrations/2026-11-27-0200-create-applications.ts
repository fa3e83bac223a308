import type { Migration } from './migration';

/** Secrets and their hashes: every letter case is another one. */
const EXACT = 'CHARACTER SET ascii COLLATE ascii_bin';

const TABLES: readonly (readonly [name: string, definition: string])[] = [
  [
    'applications',
    `id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
     owner_id BIGINT UNSIGNED NOT NULL,
     name VARCHAR(255) NOT NULL,
     description MEDIUMTEXT NOT NULL,
     type VARCHAR(16) ${EXACT} NOT NULL,
     callback_urls MEDIUMTEXT NOT NULL,
     consumer_key VARCHAR(64) ${EXACT} NOT NULL,
     encrypted_secret VARCHAR(255) ${EXACT} NOT NULL,
     created_ms BIGINT NOT NULL,
     closed_ms BIGINT NULL,
     UNIQUE KEY applications_consumer_key (consumer_key),
     KEY applications_owner (owner_id, id), KEY applications_closed (closed_ms),
     CONSTRAINT applications_owner_fk FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE`,
  ],
  [
    'authorizations',
    `id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
     user_id BIGINT UNSIGNED NOT NULL,
     application_id BIGINT UNSIGNED NOT NULL,
     scopes VARCHAR(255) ${EXACT} NOT NULL,
     created_ms BIGINT NOT NULL,
     expires_ms BIGINT NULL,
     last_used_ms BIGINT NULL,
     UNIQUE KEY authorizations_user (user_id, application_id),
     KEY authorizations_application (application_id), KEY authorizations_expires (expires_ms),
     CONSTRAINT authorizations_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
     CONSTRAINT authorizations_application_fk FOREIGN KEY (application_id) REFERENCES applications (id) ON DELETE CASCADE`,
  ],
  [
    'oauth1_tokens',
    `id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
     token_hash VARCHAR(64) ${EXACT} NOT NULL,
     kind VARCHAR(8) ${EXACT} NOT NULL,
     encrypted_secret VARCHAR(255) ${EXACT} NOT NULL,
     application_id BIGINT UNSIGNED NOT NULL,
     authorization_id BIGINT UNSIGNED NULL,
     callback TEXT NULL,
     verifier_hash VARCHAR(64) ${EXACT} NULL,
     allowed_until_ms BIGINT NULL,
     created_ms BIGINT NOT NULL,
     expires_ms BIGINT NULL,
     UNIQUE KEY oauth1_tokens_token (token_hash),
     KEY oauth1_tokens_application (application_id, kind), KEY oauth1_tokens_authorization (authorization_id),
     KEY oauth1_tokens_expires (expires_ms),
     CONSTRAINT oauth1_tokens_application_fk FOREIGN KEY (application_id) REFERENCES applications (id) ON DELETE CASCADE,
     CONSTRAINT oauth1_tokens_authorization_fk FOREIGN KEY (authorization_id) REFERENCES authorizations (id)
       ON DELETE CASCADE`,
  ],
  [
    'oauth1_nonces',
    `nonce_hash VARCHAR(64) ${EXACT} NOT NULL PRIMARY KEY,
     expires_ms BIGINT NOT NULL,
     KEY oauth1_nonces_expires (expires_ms)`,
  ],
];

/** Applications of third parties, what users allow them, and the tokens and nonces of OAuth 1.0a. */
export const createApplications: Migration = {
  name: '2026-11-27-0200-create-applications',
  up: async (schema) => {
    for (const [name, definition] of TABLES) await schema.createTable(name, definition);
  },
  down: async (schema) => {
    for (const [name] of [...TABLES].reverse()) await schema.dropTable(name);
  },
};
