import type { Migration } from './migration';

/** The brokers of MQTT whose messages are stored as data points. */
export const connectToBrokers: Migration = {
  name: '2026-11-26-1210-connect-to-brokers',
  up: (schema) =>
    // `password` is encrypted. Names that users and devices choose may have any letters.
    schema.createTable(
      'mqtt_sources',
      `id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
       owner_id BIGINT UNSIGNED NOT NULL,
       name VARCHAR(255) NOT NULL,
       url VARCHAR(2000) NOT NULL,
       username VARCHAR(255) NOT NULL,
       password TEXT CHARACTER SET ascii NULL,
       topics TEXT NOT NULL,
       decoder VARCHAR(16) CHARACTER SET ascii NOT NULL,
       client_id VARCHAR(255) NOT NULL,
       protocol_version TINYINT UNSIGNED NOT NULL,
       ca_certificate TEXT NULL,
       enabled BOOLEAN NOT NULL,
       create_limit INT UNSIGNED NOT NULL,
       revision INT UNSIGNED NOT NULL DEFAULT 0,
       state VARCHAR(16) CHARACTER SET ascii NOT NULL,
       last_error VARCHAR(500) NOT NULL DEFAULT '',
       last_message_ms BIGINT NULL,
       unreadable BIGINT UNSIGNED NOT NULL DEFAULT 0,
       leased_by VARCHAR(100) CHARACTER SET ascii NULL,
       leased_until_ms BIGINT NOT NULL DEFAULT 0,
       subscribed MEDIUMTEXT NULL,
       unconfirmed MEDIUMTEXT CHARACTER SET ascii NULL,
       described MEDIUMTEXT NULL,
       created_ms BIGINT NOT NULL,
       PRIMARY KEY (id),
       KEY mqtt_sources_owner (owner_id, id),
       KEY mqtt_sources_free (enabled, leased_until_ms),
       KEY mqtt_sources_leased (leased_by),
       CONSTRAINT mqtt_sources_owner_fk FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE`,
    ),
  down: (schema) => schema.dropTable('mqtt_sources'),
};
