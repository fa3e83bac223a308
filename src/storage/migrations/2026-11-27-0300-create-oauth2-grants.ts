import type { Migration } from './migration';

/** Secrets and their hashes: every letter case is another one. */
const EXACT = 'CHARACTER SET ascii COLLATE ascii_bin';

/** What users, or owners of services, granted by OAuth 2, and its tokens: all of a grant's end with it. */
export const createOAuth2Grants: Migration = {
  name: '2026-11-27-0300-create-oauth2-grants',
  up: async (schema) => {
    await schema.createTable(
      'oauth2_grants',
      `id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
       application_id BIGINT UNSIGNED NOT NULL,
       user_id BIGINT UNSIGNED NOT NULL,
       authorization_id BIGINT UNSIGNED NULL,
       scopes VARCHAR(255) ${EXACT} NOT NULL,
       code_hash VARCHAR(64) ${EXACT} NULL,
       code_expires_ms BIGINT NULL,
       code_used_ms BIGINT NULL,
       code_challenge VARCHAR(64) ${EXACT} NULL,
       redirect_uri TEXT NULL,
       created_ms BIGINT NOT NULL,
       expires_ms BIGINT NOT NULL,
       UNIQUE KEY oauth2_grants_code (code_hash),
       KEY oauth2_grants_application (application_id, authorization_id), KEY oauth2_grants_user (user_id),
       KEY oauth2_grants_authorization (authorization_id), KEY oauth2_grants_expires (expires_ms),
       CONSTRAINT oauth2_grants_application_fk FOREIGN KEY (application_id) REFERENCES applications (id)
         ON DELETE CASCADE,
       CONSTRAINT oauth2_grants_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
       CONSTRAINT oauth2_grants_authorization_fk FOREIGN KEY (authorization_id) REFERENCES authorizations (id)
         ON DELETE CASCADE`,
    );
    await schema.createTable(
      'oauth2_tokens',
      `id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
       token_hash VARCHAR(64) ${EXACT} NOT NULL,
       kind VARCHAR(8) ${EXACT} NOT NULL,
       grant_id BIGINT UNSIGNED NOT NULL,
       scopes VARCHAR(255) ${EXACT} NOT NULL,
       created_ms BIGINT NOT NULL,
       expires_ms BIGINT NOT NULL,
       used_ms BIGINT NULL,
       UNIQUE KEY oauth2_tokens_token (token_hash),
       KEY oauth2_tokens_grant (grant_id), KEY oauth2_tokens_expires (expires_ms),
       CONSTRAINT oauth2_tokens_grant_fk FOREIGN KEY (grant_id) REFERENCES oauth2_grants (id) ON DELETE CASCADE`,
    );
  },
  down: async (schema) => {
    await schema.dropTable('oauth2_tokens');
    await schema.dropTable('oauth2_grants');
  },
};
