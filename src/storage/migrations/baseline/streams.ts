/** What streams read. */
export const streamTables: Readonly<Record<string, string>> = {
  // Topics that have a stream now or had one lately.
  stream_topics: `
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    kind VARCHAR(10) CHARACTER SET ascii NOT NULL,
    thing_id BIGINT UNSIGNED NOT NULL,
    since_batch BIGINT UNSIGNED NULL,
    until_ms BIGINT NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY stream_topics_thing (kind, thing_id),
    KEY stream_topics_until (until_ms)`,
  // What arrived in the topics. No foreign keys: a row is written with every upload to a topic.
  change_log: `
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    kind VARCHAR(10) CHARACTER SET ascii NOT NULL,
    thing_id BIGINT UNSIGNED NOT NULL,
    items TEXT CHARACTER SET ascii NOT NULL,
    item_count INT UNSIGNED NOT NULL,
    created_ms BIGINT NOT NULL,
    batch_no BIGINT UNSIGNED NULL,
    PRIMARY KEY (id),
    KEY change_log_batch (batch_no, id),
    KEY change_log_topic (kind, thing_id, batch_no, id, item_count)`,
  // One row: the latest sequencer batch.
  stream_head: `
    id TINYINT UNSIGNED NOT NULL,
    epoch CHAR(8) CHARACTER SET ascii NOT NULL,
    batch_no BIGINT UNSIGNED NOT NULL DEFAULT 0,
    floor_batch BIGINT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (id)`,
};
