import type { Migration } from './migration';

/** What usernames look like, as a hash. The processes fill it when they start: no SQL knows which letters look alike. */
export const compareLooksOfUsernames: Migration = {
  name: '2026-11-25-1502-compare-looks-of-usernames',
  up: async (schema) => {
    await schema.addColumn('users', 'username_looks', 'CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL');
    await schema.addUniqueIndex('users', 'users_username_looks', ['username_looks']);
  },
  down: async (schema) => {
    await schema.dropIndex('users', 'users_username_looks');
    await schema.dropColumn('users', 'username_looks');
  },
};
