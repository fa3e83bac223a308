import type { Migration } from './migration';

/** How far the selectors of an owner have been compared, so that the next run, by any worker, continues there. */
export const continueSelectors: Migration = {
  name: '2026-11-28-1020-continue-selectors',
  up: async (schema) => {
    // The version that counted when the comparison began; null between two of them.
    await schema.addColumn('selector_owners', 'round_version', 'CHAR(36) CHARACTER SET ascii NULL');
    await schema.addColumn('selector_owners', 'followed_id', 'BIGINT UNSIGNED NOT NULL DEFAULT 0');
  },
  down: async (schema) => {
    await schema.dropColumn('selector_owners', 'followed_id');
    await schema.dropColumn('selector_owners', 'round_version');
  },
};
