import type { Migration } from './migration';

/** A session that nobody uses ends: so the day of its last use is kept. */
export const keepWhenSessionsWereUsed: Migration = {
  name: '2026-11-23-0300-keep-when-sessions-were-used',
  up: async (schema) => {
    await schema.addColumn('sessions', 'used_ms', 'BIGINT NOT NULL DEFAULT 0');
    await schema.addIndex('sessions', 'sessions_used', ['used_ms']);
    await schema.changeRows('UPDATE sessions SET used_ms = ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000) WHERE used_ms = 0');
  },
  down: async (schema) => {
    await schema.dropIndex('sessions', 'sessions_used');
    await schema.dropColumn('sessions', 'used_ms');
  },
};
