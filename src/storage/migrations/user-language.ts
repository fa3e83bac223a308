import type { Migration } from './migration';

/** Users choose the language of their mails. */
export const addUserLanguage: Migration = {
  name: '2026-11-30-0350-add-user-language',
  up: (schema) => schema.addColumn('users', 'language', 'VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NULL'),
  down: (schema) => schema.dropColumn('users', 'language'),
};
