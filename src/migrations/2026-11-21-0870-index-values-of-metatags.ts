import type { Migration } from './migration';

/**
 * The distinct values of a name are read from an index alone, also among 100,000 sensors. Values become bytes, as
 * characters would need more room than an index has.
 */
export const indexValuesOfMetatags: Migration = {
  name: '2026-11-21-0870-index-values-of-metatags',
  up: async (run) => {
    await run(
      `ALTER TABLE metatags MODIFY value VARBINARY(700) NOT NULL,
         ADD KEY metatags_distinct (owner_id, namespace, name, value)`,
    );
  },
  down: async (run) => {
    await run(
      `ALTER TABLE metatags DROP KEY metatags_distinct,
         MODIFY value VARCHAR(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL`,
    );
  },
};
