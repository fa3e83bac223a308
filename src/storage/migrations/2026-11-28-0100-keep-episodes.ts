import type { Migration } from './migration';

const COLUMNS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  triggers: {
    hold: 'INT UNSIGNED NOT NULL DEFAULT 0',
    repeat_after: 'INT UNSIGNED NULL',
    notify_resolved: 'BOOLEAN NOT NULL DEFAULT FALSE',
    resolved_text: 'TEXT NULL',
  },
  sensor_triggers: {
    muted_until_ms: 'BIGINT NULL',
    state_since_ms: 'BIGINT NULL',
    pending_since_ms: 'BIGINT NULL',
    episode_ms: 'BIGINT NULL',
    episode_fired_ms: 'BIGINT NULL',
    episode_acknowledged: 'BOOLEAN NOT NULL DEFAULT FALSE',
    episode_announced: 'BOOLEAN NOT NULL DEFAULT FALSE',
    inactivity_episode_ms: 'BIGINT NULL',
    inactivity_episode_fired_ms: 'BIGINT NULL',
    inactivity_episode_acknowledged: 'BOOLEAN NOT NULL DEFAULT FALSE',
    inactivity_episode_announced: 'BOOLEAN NOT NULL DEFAULT FALSE',
  },
  firings: {
    muted: 'BOOLEAN NOT NULL DEFAULT FALSE',
    episode_id: 'BIGINT UNSIGNED NULL',
    is_lasting: 'BOOLEAN NOT NULL DEFAULT FALSE',
    ended_ms: 'BIGINT NULL',
    resolved_by: 'VARCHAR(8) NULL',
    end_value: 'TEXT NULL',
    end_date_ms: 'BIGINT NULL',
    acknowledged_ms: 'BIGINT NULL',
    acknowledged_by: 'BIGINT UNSIGNED NULL',
    note: 'TEXT NULL',
  },
  deliveries: {
    resolved: 'BOOLEAN NOT NULL DEFAULT FALSE',
  },
};

/**
 * Episodes. Their state is in `sensor_triggers`; what is known of one is in the row of its first firing, which `episode_id` of
 * the others names. A notification may get two deliveries of a firing: that it fired, and that its episode has ended.
 */
export const keepEpisodes: Migration = {
  name: '2026-11-28-0100-keep-episodes',
  up: async (schema) => {
    for (const [table, columns] of Object.entries(COLUMNS)) await schema.addColumns(table, columns);
    await schema.addIndex('firings', 'firings_lasting', ['owner_id', 'is_lasting', 'id']);
    await schema.replaceIndex('firings', 'firings_owner', ['owner_id', 'fired_ms']);
    const once = ['firing_id', 'notification_id', 'resolved'];
    await schema.addUniqueIndex('deliveries', 'deliveries_of_firing', once);
    await schema.dropIndex('deliveries', 'deliveries_firing');
  },
  down: async (schema) => {
    await schema.addUniqueIndex('deliveries', 'deliveries_firing', ['firing_id', 'notification_id']);
    await schema.dropIndex('deliveries', 'deliveries_of_firing');
    await schema.replaceIndex('firings', 'firings_owner', ['owner_id']);
    await schema.dropIndex('firings', 'firings_lasting');
    for (const [table, columns] of Object.entries(COLUMNS)) await schema.dropColumns(table, Object.keys(columns));
  },
};
