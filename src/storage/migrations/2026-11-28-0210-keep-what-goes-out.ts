import type { Migration } from './migration';

/**
 * In notifications: the `format` of bodies to URLs, and whether many deliveries of a minute become one `digest` (null: as its channel does).
 * In deliveries: `details`, what a test is about, as JSON; `digest_id`, the delivery in which this one goes out with others; and
 * `digest_minute_ms`, set on such a digest, of which a notification has one for each minute.
 */
export const keepWhatGoesOut: Migration = {
  name: '2026-11-28-0210-keep-what-goes-out',
  up: async (schema) => {
    await schema.addColumns('notifications', {
      format: "VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'form'",
      digest: 'BOOLEAN NULL',
    });
    await schema.addColumns('deliveries', {
      details: 'MEDIUMTEXT NULL',
      digest_id: 'BIGINT UNSIGNED NULL',
      digest_minute_ms: 'BIGINT NULL',
    });
    await schema.addUniqueIndex('deliveries', 'deliveries_digest_minute', ['notification_id', 'digest_minute_ms']);
    await schema.addIndex('deliveries', 'deliveries_digest', ['digest_id', 'id']);
  },
  down: async (schema) => {
    await schema.dropIndex('deliveries', 'deliveries_digest');
    await schema.dropIndex('deliveries', 'deliveries_digest_minute');
    await schema.dropColumns('deliveries', ['details', 'digest_id', 'digest_minute_ms']);
    await schema.dropColumns('notifications', ['format', 'digest']);
  },
};
