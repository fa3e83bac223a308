import type { Migration } from './migration';

/** A step that fails is tried again after pauses that grow, and not for ever. */
export const countFailuresOfLearnings: Migration = {
  name: '2026-11-21-0880-count-failures-of-learnings',
  up: async (run) => {
    await run(
      `ALTER TABLE learnings ADD COLUMN failures INT UNSIGNED NOT NULL DEFAULT 0,
         ADD COLUMN try_again_ms BIGINT NOT NULL DEFAULT 0`,
    );
  },
  down: async (run) => {
    await run('ALTER TABLE learnings DROP COLUMN failures, DROP COLUMN try_again_ms');
  },
};
