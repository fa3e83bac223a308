import type { Migration } from './migration';

/** What to do before a release that cannot read these chunks runs again. */
export const UNPACK_FIRST = 'run `npm run admin -- unpack` first';

/**
 * Old points, some hundred of a sensor in one row (decision 93). Chunks of a sensor do not overlap. The key has the date
 * of the last point, so that a range of the newest dates meets no other chunks. If all values are numbers, `low`, `high`
 * and `total` are the lowest, the highest and the sum.
 */
export const packOldPoints: Migration = {
  name: '2026-11-27-1000-pack-old-points',
  up: async (schema) => {
    await schema.createTable(
      'data_chunks',
      `sensor_id BIGINT UNSIGNED NOT NULL,
       last_ms BIGINT NOT NULL,
       first_ms BIGINT NOT NULL,
       points INT UNSIGNED NOT NULL,
       low DOUBLE NULL,
       high DOUBLE NULL,
       total DOUBLE NULL,
       codec TINYINT UNSIGNED NOT NULL,
       body MEDIUMBLOB NOT NULL,
       PRIMARY KEY (sensor_id, last_ms)`,
    );
  },
  down: async (schema) => {
    await schema.ensureEmpty('data_chunks', UNPACK_FIRST);
    await schema.dropTable('data_chunks');
  },
};
