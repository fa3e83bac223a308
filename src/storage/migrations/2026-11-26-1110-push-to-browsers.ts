import type { Migration } from './migration';

/** The keys and the names of browsers that notifications push to, and the keys that sign the requests. */
export const pushToBrowsers: Migration = {
  name: '2026-11-26-1110-push-to-browsers',
  up: async (schema) => {
    // Encrypted.
    await schema.addColumn('notifications', 'push_keys', 'VARCHAR(255) CHARACTER SET ascii NULL');
    await schema.addColumn('notifications', 'name', 'VARCHAR(100) NULL');
    // The private key is encrypted.
    await schema.createTable(
      'vapid_keys',
      `id TINYINT UNSIGNED NOT NULL,
       public_key VARCHAR(100) CHARACTER SET ascii NOT NULL,
       private_key VARCHAR(255) CHARACTER SET ascii NOT NULL,
       created_ms BIGINT NOT NULL,
       PRIMARY KEY (id)`,
    );
  },
  down: async (schema) => {
    await schema.dropTable('vapid_keys');
    await schema.dropColumn('notifications', 'name');
    await schema.dropColumn('notifications', 'push_keys');
  },
};
