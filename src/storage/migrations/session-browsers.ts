import type { Migration } from './migration';

/** The programs from which sessions were opened; unknown for older sessions. */
export const sessionBrowsers: Migration = {
  name: '2026-11-30-0340-session-browsers',
  up: (schema) => schema.addColumn('sessions', 'user_agent', "VARCHAR(255) NOT NULL DEFAULT ''"),
  down: (schema) => schema.dropColumn('sessions', 'user_agent'),
};
