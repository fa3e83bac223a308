import type { Migration } from './migration';

export const createRuleSets: Migration = {
  name: '2026-11-30-1020-create-rule-sets',
  up: async (schema) => {
    await schema.createTable('rule_set_items', ITEMS);
  },
  down: async (schema) => {
    await schema.dropTable('rule_set_items');
  },
};

const ITEMS = `
  owner_id BIGINT UNSIGNED NOT NULL,
  set_name VARCHAR(100) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  kind VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  thing_id BIGINT UNSIGNED NOT NULL,
  applied MEDIUMTEXT NOT NULL,
  applied_ms BIGINT NOT NULL,
  PRIMARY KEY (owner_id, set_name, kind, name),
  UNIQUE KEY rule_set_items_thing (kind, thing_id),
  CONSTRAINT rule_set_items_owner_fk FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE`;
