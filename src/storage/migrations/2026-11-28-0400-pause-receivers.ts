import type { Migration } from './migration';

/** Receivers that operators have paused: deliveries to them wait until these are resumed. */
export const pauseReceivers: Migration = {
  name: '2026-11-28-0400-pause-receivers',
  up: (schema) =>
    schema.createTable(
      'paused_receivers',
      `receiver VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
       since_ms BIGINT NOT NULL,
       reason VARCHAR(255) NOT NULL DEFAULT '',
       PRIMARY KEY (receiver)`,
    ),
  down: (schema) => schema.dropTable('paused_receivers'),
};
