import type { Migration } from './migration';

/**
 * What streams read: topics that somebody streams or streamed lately, what arrived in them, and the latest round in which
 * arrivals were put in order. Arrivals have no foreign keys: they are written with every upload to a topic.
 */
export const createStreamLog: Migration = {
  name: '2026-11-28-0600-create-stream-log',
  up: async (schema) => {
    await schema.createTable(
      'stream_topics',
      `id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
       kind VARCHAR(10) CHARACTER SET ascii NOT NULL,
       thing_id BIGINT UNSIGNED NOT NULL,
       since_round BIGINT UNSIGNED DEFAULT NULL,
       until_ms BIGINT NOT NULL,
       PRIMARY KEY (id),
       UNIQUE KEY stream_topics_thing (kind, thing_id),
       KEY stream_topics_until (until_ms)`,
    );
    await schema.createTable(
      'stream_log',
      `id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
       kind VARCHAR(10) CHARACTER SET ascii NOT NULL,
       thing_id BIGINT UNSIGNED NOT NULL,
       items TEXT CHARACTER SET ascii NOT NULL,
       item_count INT UNSIGNED NOT NULL,
       created_ms BIGINT NOT NULL,
       round_no BIGINT UNSIGNED DEFAULT NULL,
       PRIMARY KEY (id),
       KEY stream_log_round (round_no, id),
       KEY stream_log_thing (kind, thing_id, round_no, id, item_count)`,
    );
    await schema.createTable(
      'stream_head',
      `id TINYINT UNSIGNED NOT NULL,
       epoch CHAR(8) CHARACTER SET ascii NOT NULL,
       round_no BIGINT UNSIGNED NOT NULL DEFAULT 0,
       floor_round BIGINT UNSIGNED NOT NULL DEFAULT 0,
       PRIMARY KEY (id)`,
    );
    await schema.changeRows(`INSERT IGNORE INTO stream_head (id, epoch) VALUES (1, LEFT(SHA2(UUID(), 256), 8))`);
  },
  down: async (schema) => {
    await schema.dropTable('stream_head');
    await schema.dropTable('stream_log');
    await schema.dropTable('stream_topics');
  },
};
