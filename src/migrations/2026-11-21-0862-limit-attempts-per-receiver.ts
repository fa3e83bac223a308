import type { Migration } from './migration';

const RECEIVER = 'receiver VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin';
const OPTIONS = 'ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci';

/**
 * Attempts under way hold a numbered slot of their receiver, which the unique key keeps from being taken twice.
 * Deliveries that found none wait apart. Those from before have no receiver and need no slot.
 */
export const limitAttemptsPerReceiver: Migration = {
  name: '2026-11-21-0862-limit-attempts-per-receiver',
  up: async (run) => {
    await run(
      `ALTER TABLE deliveries ADD COLUMN ${RECEIVER} NULL AFTER destination, ADD COLUMN slot SMALLINT UNSIGNED NULL AFTER claimed_until_ms,
         ADD COLUMN parked_ms BIGINT NULL AFTER slot, ADD UNIQUE KEY deliveries_slot (receiver, slot),
         DROP KEY deliveries_waiting, ADD KEY deliveries_waiting (status, next_attempt_ms, receiver)`,
    );
    await run(
      `CREATE TABLE IF NOT EXISTS parked_deliveries (
         ${RECEIVER} NOT NULL,
         priority_rank INT UNSIGNED NOT NULL,
         delivery_id BIGINT UNSIGNED NOT NULL,
         PRIMARY KEY (receiver, priority_rank, delivery_id), UNIQUE KEY parked_deliveries_delivery (delivery_id),
         CONSTRAINT parked_deliveries_delivery_fk FOREIGN KEY (delivery_id) REFERENCES deliveries (id) ON DELETE CASCADE
       ) ${OPTIONS}`,
    );
    await run(
      `CREATE TABLE IF NOT EXISTS ailing_receivers (${RECEIVER} NOT NULL, since_ms BIGINT NOT NULL, PRIMARY KEY (receiver),
         KEY ailing_receivers_since (since_ms)) ${OPTIONS}`,
    );
  },
  down: async (run) => {
    await run('DROP TABLE IF EXISTS ailing_receivers');
    await run('DROP TABLE IF EXISTS parked_deliveries');
    await run(
      `ALTER TABLE deliveries DROP KEY deliveries_slot, DROP COLUMN slot, DROP COLUMN parked_ms, DROP KEY deliveries_waiting,
         ADD KEY deliveries_waiting (status, next_attempt_ms), DROP COLUMN receiver`,
    );
  },
};
