import type { Migration } from './migration';

/** Whether a user knew the name of another one when they blocked them. Names that were shown until now stay visible. */
export const hideNamesOfBlockedUsers: Migration = {
  name: '2026-11-25-1457-hide-names-of-blocked-users',
  up: (schema) => schema.addColumn('user_blocks', 'knows_name', 'BOOLEAN NOT NULL DEFAULT TRUE'),
  down: (schema) => schema.dropColumn('user_blocks', 'knows_name'),
};
