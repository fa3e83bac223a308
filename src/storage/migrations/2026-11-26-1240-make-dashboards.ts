import type { Migration } from './migration';

/** The dashboards of users, and their public links. */
export const makeDashboards: Migration = {
  name: '2026-11-26-1240-make-dashboards',
  up: (schema) =>
    // `public_hash` finds a dashboard by its link, `public_token` is the encrypted token, for its owner alone.
    schema.createTable(
      'dashboards',
      `id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
       owner_id BIGINT UNSIGNED NOT NULL,
       name VARCHAR(255) NOT NULL,
       tiles MEDIUMTEXT NOT NULL,
       version INT UNSIGNED NOT NULL,
       public_hash CHAR(64) CHARACTER SET ascii NULL,
       public_token VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NULL,
       created_ms BIGINT NOT NULL,
       PRIMARY KEY (id),
       KEY dashboards_owner (owner_id, id),
       UNIQUE KEY dashboards_public (public_hash),
       CONSTRAINT dashboards_owner_fk FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE`,
    ),
  down: (schema) => schema.dropTable('dashboards'),
};
