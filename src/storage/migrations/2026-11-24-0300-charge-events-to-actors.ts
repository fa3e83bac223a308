import type { Migration } from './migration';

/**
 * How many deliveries one user has caused to another in the current minute. No foreign keys: what waits to be dispatched
 * may have been caused by a user who is gone.
 */
export const chargeEventsToActors: Migration = {
  name: '2026-11-24-0300-charge-events-to-actors',
  up: (schema) =>
    schema.createTable(
      'event_charges',
      `actor_id BIGINT UNSIGNED NOT NULL,
       owner_id BIGINT UNSIGNED NOT NULL,
       started_ms BIGINT NOT NULL,
       sent INT UNSIGNED NOT NULL,
       held INT UNSIGNED NOT NULL,
       summary_webhook_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL,
       PRIMARY KEY (actor_id, owner_id), KEY event_charges_started (started_ms)`,
    ),
  down: (schema) => schema.dropTable('event_charges'),
};
