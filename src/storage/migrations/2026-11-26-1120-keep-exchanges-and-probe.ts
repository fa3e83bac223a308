import type { Migration } from './migration';

/** What an attempt sent and what came back, the probes of notifications, and when their owners were notified of failures. */
export const keepExchangesAndProbe: Migration = {
  name: '2026-11-26-1120-keep-exchanges-and-probe',
  up: async (schema) => {
    await schema.addColumn('delivery_attempts', 'request_body', 'TEXT NULL');
    await schema.addColumn('delivery_attempts', 'response_body', 'TEXT NULL');
    await schema.addColumn('deliveries', 'probe', 'BOOLEAN NOT NULL DEFAULT FALSE');
    await schema.addColumn('notifications', 'probe_s', 'INT UNSIGNED NULL');
    await schema.addColumn('notifications', 'probe_due_ms', 'BIGINT NULL');
    await schema.addColumn('notifications', 'proven_ms', 'BIGINT NULL');
    await schema.addColumn('notifications', 'warned_ms', 'BIGINT NULL');
    await schema.addColumn('notifications', 'probe_warned_ms', 'BIGINT NULL');
    await schema.addIndex('notifications', 'notifications_probe_due', ['probe_due_ms']);
  },
  down: async (schema) => {
    await schema.dropIndex('notifications', 'notifications_probe_due');
    await schema.dropColumn('notifications', 'probe_warned_ms');
    await schema.dropColumn('notifications', 'warned_ms');
    await schema.dropColumn('notifications', 'proven_ms');
    await schema.dropColumn('notifications', 'probe_due_ms');
    await schema.dropColumn('notifications', 'probe_s');
    await schema.dropColumn('deliveries', 'probe');
    await schema.dropColumn('delivery_attempts', 'response_body');
    await schema.dropColumn('delivery_attempts', 'request_body');
  },
};
