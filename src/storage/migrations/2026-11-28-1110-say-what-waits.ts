import type { Migration } from './migration';

/** Which deliveries are critical, why they wait, when that was last reported, and what a success is. */
export const sayWhatWaits: Migration = {
  name: '2026-11-28-1110-say-what-waits',
  up: async (schema) => {
    await schema.addColumn('deliveries', 'critical', 'BOOLEAN NOT NULL DEFAULT FALSE');
    await schema.addColumn('deliveries', 'waits_for', 'VARCHAR(500) NULL');
    await schema.addColumn('deliveries', 'late_ms', 'BIGINT NULL');
    await schema.addIndex('deliveries', 'deliveries_late', ['status', 'late_ms']);
    await schema.addColumn('notifications', 'limited_until_ms', 'BIGINT NULL');
    await schema.addColumn('notifications', 'late_reported_ms', 'BIGINT NULL');
    await schema.addColumn('notifications', 'success', 'TEXT NULL');
  },
  down: async (schema) => {
    await schema.dropColumn('notifications', 'success');
    await schema.dropColumn('notifications', 'late_reported_ms');
    await schema.dropColumn('notifications', 'limited_until_ms');
    await schema.dropIndex('deliveries', 'deliveries_late');
    await schema.dropColumn('deliveries', 'late_ms');
    await schema.dropColumn('deliveries', 'waits_for');
    await schema.dropColumn('deliveries', 'critical');
  },
};
