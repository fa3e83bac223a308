import type { Migration } from './migration';

/** A failed step of a training job is retried with increasing pauses, a limited number of times. */
export const countFailuresOfLearnings: Migration = {
  name: '2026-11-21-0880-count-failures-of-learnings',
  up: async (schema) => {
    await schema.addColumn('learnings', 'failures', 'INT UNSIGNED NOT NULL DEFAULT 0');
    await schema.addColumn('learnings', 'try_again_ms', 'BIGINT NOT NULL DEFAULT 0');
  },
  down: async (schema) => {
    await schema.dropColumn('learnings', 'failures');
    await schema.dropColumn('learnings', 'try_again_ms');
  },
};
