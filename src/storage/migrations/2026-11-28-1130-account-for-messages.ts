import type { Migration } from './migration';

/** What became of the messages of MQTT sources, and what is done with retained ones. */
export const accountForMessages: Migration = {
  name: '2026-11-28-1130-account-for-messages',
  up: async (schema) => {
    await schema.addColumn('mqtt_sources', 'retained', "VARCHAR(8) NOT NULL DEFAULT 'changes'");
    for (const column of COUNTS) await schema.addColumn('mqtt_sources', column, 'BIGINT UNSIGNED NOT NULL DEFAULT 0');
    await schema.addColumn('mqtt_sources', 'kept', 'INT UNSIGNED NOT NULL DEFAULT 0');
  },
  down: async (schema) => {
    await schema.dropColumn('mqtt_sources', 'kept');
    for (const column of [...COUNTS].reverse()) await schema.dropColumn('mqtt_sources', column);
    await schema.dropColumn('mqtt_sources', 'retained');
  },
};

const COUNTS = ['refused', 'unchanged', 'repeated', 'ignored', 'incomplete'] as const;
