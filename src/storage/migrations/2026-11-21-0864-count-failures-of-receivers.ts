import type { Migration } from './migration';

/** A receiver counts as degraded after several failures in a row, not after one. */
export const countFailuresOfReceivers: Migration = {
  name: '2026-11-21-0864-count-failures-of-receivers',
  up: async (schema) => {
    await schema.addColumn('ailing_receivers', 'failures', 'INT UNSIGNED NOT NULL DEFAULT 1');
  },
  down: async (schema) => {
    await schema.dropColumn('ailing_receivers', 'failures');
  },
};
