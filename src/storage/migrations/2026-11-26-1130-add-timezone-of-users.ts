import type { Migration } from './migration';

/** The time zone in which users and the recipients of their mails read times; null if it is not known. */
export const addTimezoneOfUsers: Migration = {
  name: '2026-11-26-1130-add-timezone-of-users',
  up: (schema) => schema.addColumn('users', 'timezone', 'VARCHAR(64) NULL'),
  down: (schema) => schema.dropColumn('users', 'timezone'),
};
