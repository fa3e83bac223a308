import type { Migration } from './migration';

export const createLoginNetworks: Migration = {
  name: '2026-11-30-1830-create-login-networks',
  up: async (schema) => {
    await schema.createTable('login_networks', NETWORKS);
  },
  down: async (schema) => {
    await schema.dropTable('login_networks');
  },
};

const NETWORKS = `
  user_id BIGINT UNSIGNED NOT NULL,
  network VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  used_ms BIGINT NOT NULL,
  PRIMARY KEY (user_id, network),
  CONSTRAINT login_networks_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE`;
