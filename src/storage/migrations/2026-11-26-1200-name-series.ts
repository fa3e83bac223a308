import type { Migration } from './migration';

/** The outside names of series, and how many sensors a key may make for them. */
export const nameSeries: Migration = {
  name: '2026-11-26-1200-name-series',
  up: async (schema) => {
    await schema.createTable(
      'series',
      `id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
       owner_id BIGINT UNSIGNED NOT NULL,
       hash CHAR(64) CHARACTER SET ascii NOT NULL,
       namespace VARCHAR(16) CHARACTER SET ascii NOT NULL,
       name VARCHAR(2000) NOT NULL,
       source VARCHAR(32) CHARACTER SET ascii NOT NULL,
       sensor_id BIGINT UNSIGNED NOT NULL,
       made_by VARCHAR(40) CHARACTER SET ascii NOT NULL,
       created_ms BIGINT NOT NULL,
       PRIMARY KEY (id),
       UNIQUE KEY series_hash (owner_id, hash),
       KEY series_maker (owner_id, made_by),
       CONSTRAINT series_sensor_fk FOREIGN KEY (sensor_id) REFERENCES sensors (id) ON DELETE CASCADE`,
    );
    await schema.addColumn('api_keys', 'create_limit', 'INT UNSIGNED NULL');
  },
  down: async (schema) => {
    await schema.dropColumn('api_keys', 'create_limit');
    await schema.dropTable('series');
  },
};
