import type { Migration } from './migration';

/** One failure does not make a receiver ailing: several in a row do. */
export const countFailuresOfReceivers: Migration = {
  name: '2026-11-21-0864-count-failures-of-receivers',
  up: async (schema) => {
    await schema.addColumn('ailing_receivers', 'failures', 'INT UNSIGNED NOT NULL DEFAULT 1');
  },
  down: async (schema) => {
    await schema.dropColumn('ailing_receivers', 'failures');
  },
};
