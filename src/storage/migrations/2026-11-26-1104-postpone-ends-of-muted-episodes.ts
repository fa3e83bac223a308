import type { Migration } from './migration';

/** Whether a delivery waits for the end of the mute in which its episode ended. */
export const postponeEndsOfMutedEpisodes: Migration = {
  name: '2026-11-26-1104-postpone-ends-of-muted-episodes',
  up: (schema) => schema.addColumn('deliveries', 'after_mute', 'BOOLEAN NOT NULL DEFAULT FALSE'),
  down: (schema) => schema.dropColumn('deliveries', 'after_mute'),
};
