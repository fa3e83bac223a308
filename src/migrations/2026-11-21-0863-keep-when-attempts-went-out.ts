import type { Migration } from './migration';

/** When the last attempt of a delivery went out, and when it was answered: the last of its instants. */
export const keepWhenAttemptsWentOut: Migration = {
  name: '2026-11-21-0863-keep-when-attempts-went-out',
  up: async (run) => {
    await run(
      'ALTER TABLE deliveries ADD COLUMN sent_ms BIGINT NULL AFTER created_ms, ADD COLUMN answered_ms BIGINT NULL AFTER sent_ms',
    );
  },
  down: async (run) => {
    await run('ALTER TABLE deliveries DROP COLUMN sent_ms, DROP COLUMN answered_ms');
  },
};
