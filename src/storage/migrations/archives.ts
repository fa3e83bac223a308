import type { Migration } from './migration';

/** Exports and imports of accounts, and the pieces of their files. */
export const createArchives: Migration = {
  name: '2026-12-01-0020-create-archives',
  up: async (schema) => {
    await schema.createTable('archives', ARCHIVES);
    await schema.createTable('archive_parts', PARTS);
  },
  down: async (schema) => {
    await schema.dropTable('archive_parts');
    await schema.dropTable('archives');
  },
};

// `active` is null once it is over, so an owner has one of a kind.
const ARCHIVES = `
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  owner_id BIGINT UNSIGNED NOT NULL,
  kind VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  state VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  active TINYINT(1) NULL,
  options TEXT NOT NULL,
  progress MEDIUMTEXT NOT NULL,
  step INT UNSIGNED NOT NULL DEFAULT 0,
  error TEXT NULL,
  entry VARCHAR(255) NULL,
  failures INT UNSIGNED NOT NULL DEFAULT 0,
  try_again_ms BIGINT NOT NULL DEFAULT 0,
  created_ms BIGINT NOT NULL,
  ends_ms BIGINT NOT NULL,
  PRIMARY KEY (id),
  UNIQUE KEY archives_one_of_a_kind (owner_id, kind, active),
  KEY archives_active (active, id),
  KEY archives_ends (ends_ms),
  CONSTRAINT archives_owner_fk FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE`;

const PARTS = `
  archive_id BIGINT UNSIGNED NOT NULL,
  position INT UNSIGNED NOT NULL,
  entry VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  line_count INT UNSIGNED NOT NULL,
  body MEDIUMBLOB NOT NULL,
  PRIMARY KEY (archive_id, position),
  CONSTRAINT archive_parts_archive_fk FOREIGN KEY (archive_id) REFERENCES archives (id) ON DELETE CASCADE`;
