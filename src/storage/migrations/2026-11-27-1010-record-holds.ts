import type { Migration } from './migration';

/** The hold of the trigger at each firing: it may be edited afterwards. */
export const recordHolds: Migration = {
  name: '2026-11-27-1010-record-holds',
  up: (schema) => schema.addColumn('firings', 'hold_s', 'BIGINT NOT NULL DEFAULT 0'),
  down: (schema) => schema.dropColumn('firings', 'hold_s'),
};
