import type { Migration } from './migration';

/**
 * Times in which triggers of a user are muted. `sensors`, `triggers` and `days` are JSON lists in the row itself, so that a turn reads one
 * row for each mute, and so that a mute whose sensors are deleted applies to none instead of all.
 */
export const createMutes: Migration = {
  name: '2026-11-28-0200-create-mutes',
  up: (schema) =>
    schema.createTable(
      'mutes',
      `id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
       owner_id BIGINT UNSIGNED NOT NULL,
       name VARCHAR(255) NOT NULL,
       start_ms BIGINT NULL,
       end_ms BIGINT NULL,
       sensors TEXT CHARACTER SET ascii COLLATE ascii_bin NULL,
       triggers TEXT CHARACTER SET ascii COLLATE ascii_bin NULL,
       days VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NULL,
       from_time CHAR(5) CHARACTER SET ascii COLLATE ascii_bin NULL,
       to_time CHAR(5) CHARACTER SET ascii COLLATE ascii_bin NULL,
       timezone VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
       created_ms BIGINT NOT NULL,
       PRIMARY KEY (id), KEY mutes_owner (owner_id, id),
       CONSTRAINT mutes_owner_fk FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE`,
    ),
  down: (schema) => schema.dropTable('mutes'),
};
