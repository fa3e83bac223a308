import type { Migration } from './migration';

/** Work that ended its processes and was set aside; and how often the attempts of a delivery began without an end. */
export const quarantineWork: Migration = {
  name: '2026-11-28-1000-quarantine-work',
  up: async (schema) => {
    await schema.createTable(
      'quarantine',
      `kind VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
       thing_id BIGINT UNSIGNED NOT NULL,
       owner_id BIGINT UNSIGNED NULL,
       deaths INT UNSIGNED NOT NULL,
       paused_until_ms BIGINT NOT NULL,
       since_ms BIGINT NOT NULL,
       expires_ms BIGINT NOT NULL,
       reason VARCHAR(500) NOT NULL,
       PRIMARY KEY (kind, thing_id),
       KEY quarantine_expires (expires_ms)`,
    );
    await schema.addColumn('deliveries', 'begun', 'TINYINT UNSIGNED NOT NULL DEFAULT 0');
  },
  down: async (schema) => {
    await schema.dropColumn('deliveries', 'begun');
    await schema.dropTable('quarantine');
  },
};
