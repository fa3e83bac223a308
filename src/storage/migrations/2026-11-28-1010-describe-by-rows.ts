import type { Migration } from './migration';

/** Larger texts are left out: brokers send what they have retained again. */
const MAX_COPIED_BYTES = 1_048_576;

/**
 * What messages have described about topics, a row for each topic, and when a source is tried again. Workers of the
 * former release still use the column `described`, which the next release drops.
 */
export const describeByRows: Migration = {
  name: '2026-11-28-1010-describe-by-rows',
  up: async (schema) => {
    // Topics are compared by their bytes.
    await schema.createTable(
      'mqtt_descriptions',
      `source_id BIGINT UNSIGNED NOT NULL,
       topic VARBINARY(1000) NOT NULL,
       content MEDIUMTEXT NOT NULL,
       PRIMARY KEY (source_id, topic),
       CONSTRAINT mqtt_descriptions_source_fk FOREIGN KEY (source_id) REFERENCES mqtt_sources (id) ON DELETE CASCADE`,
    );
    await schema.changeRows(
      `INSERT IGNORE INTO mqtt_descriptions (source_id, topic, content)
       SELECT s.id, CAST(d.topic AS BINARY), d.content
       FROM mqtt_sources s, JSON_TABLE(
         IF(LENGTH(s.described) <= ${MAX_COPIED_BYTES}, s.described, '[]'), '$[*]' COLUMNS (
         topic VARCHAR(4000) CHARACTER SET utf8mb4 PATH '$[0]', content JSON PATH '$[1]')) d
       WHERE LENGTH(d.topic) <= 1000 AND d.content IS NOT NULL`,
    );
    await schema.addColumn('mqtt_sources', 'failures', 'INT UNSIGNED NOT NULL DEFAULT 0');
    await schema.addColumn('mqtt_sources', 'next_try_ms', 'BIGINT NOT NULL DEFAULT 0');
  },
  down: async (schema) => {
    await schema.dropColumn('mqtt_sources', 'next_try_ms');
    await schema.dropColumn('mqtt_sources', 'failures');
    await schema.dropTable('mqtt_descriptions');
  },
};
