import type { Migration } from './migration';

/**
 * The distinct values of a name are read from an index alone, even among 100,000 sensors. Values become bytes, because
 * characters would exceed the size of an index.
 */
export const indexValuesOfMetatags: Migration = {
  name: '2026-11-21-0870-index-values-of-metatags',
  up: async (schema) => {
    await schema.modifyColumn('metatags', 'value', 'VARBINARY(700) NOT NULL');
    await schema.addIndex('metatags', 'metatags_distinct', ['owner_id', 'namespace', 'name', 'value']);
  },
  down: async (schema) => {
    await schema.dropIndex('metatags', 'metatags_distinct');
    await schema.modifyColumn('metatags', 'value', 'VARCHAR(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL');
  },
};
