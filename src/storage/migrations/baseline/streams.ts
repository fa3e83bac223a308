/** What streams read. */
export const streamTables: Readonly<Record<string, string>> = {
  // Topics that have a stream now or had one lately.
  stream_topics: `
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    kind VARCHAR(10) CHARACTER SET ascii NOT NULL,
    thing_id BIGINT UNSIGNED NOT NULL,
    since_round BIGINT UNSIGNED NULL,
    until_ms BIGINT NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY stream_topics_thing (kind, thing_id),
    KEY stream_topics_until (until_ms)`,
  // What arrived in the topics. No foreign keys: a row is written with every upload to a topic.
  stream_log: `
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    kind VARCHAR(10) CHARACTER SET ascii NOT NULL,
    thing_id BIGINT UNSIGNED NOT NULL,
    items TEXT CHARACTER SET ascii NOT NULL,
    item_count INT UNSIGNED NOT NULL,
    created_ms BIGINT NOT NULL,
    round_no BIGINT UNSIGNED NULL,
    PRIMARY KEY (id),
    KEY stream_log_round (round_no, id),
    KEY stream_log_thing (kind, thing_id, round_no, id, item_count)`,
  // One row: the latest sequencer batch.
  stream_head: `
    id TINYINT UNSIGNED NOT NULL,
    epoch CHAR(8) CHARACTER SET ascii NOT NULL,
    round_no BIGINT UNSIGNED NOT NULL DEFAULT 0,
    floor_round BIGINT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (id)`,
};
